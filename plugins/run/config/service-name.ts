import { Settings } from '../../../schemas/settings.js'

const { default: preset, maxLength } = Settings.properties.serviceName as { default: string; maxLength: number }

type Named = Pick<Settings, 'serviceName'> & { branding: Pick<Settings['branding'], 'systemName'> }

/**
 * Pages, mails and authenticator apps have one name of the service. `branding.systemName`, where it is absent, is `serviceName`; and the other way
 * round while that is the preset, which a first start has written into the file. Without both `systemName` stays null: an existing front end
 * has a name of its own.
 */
export const withOneName = <T extends Named>(settings: T): T => {
  const systemName = settings.branding.systemName?.trim() ? settings.branding.systemName : null
  const isChosen = settings.serviceName !== preset
  return {
    ...settings,
    serviceName: isChosen || systemName === null ? settings.serviceName : [...systemName].slice(0, maxLength).join(''),
    branding: { ...settings.branding, systemName: systemName ?? (isChosen ? settings.serviceName : null) },
  }
}
