import type { Settings } from '../schemas/settings.js'

/** The address at which browsers reach the service, with its prefix and without a slash at the end; undefined if unknown. */
export const publicUrlOf = ({ publicUrl, issuer }: Pick<Settings, 'publicUrl' | 'issuer'>): string | undefined => {
  const url = publicUrl ?? (issuer.includes('://') ? issuer : undefined)
  return url?.replace(/\/$/, '')
}
