import type { Installation } from '../../app.js'
import { machineClock } from '../../lib/clock.js'
import { attempt, findingsOf, type Finding } from './finding.js'

/** Asks each enabled OpenID provider for its metadata, which must name the configured issuer. The other kinds have none. */
export const checkProviders = async ({ settings }: Installation): Promise<Finding[]> => {
  const { federation } = settings
  if (federation.providers.length === 0) return []
  const [{ createOutbound }, { createProviders }, { toCause }] = await Promise.all([
    import('../../lib/outbound.js'),
    import('../../plugins/identity/federation/providers.js'),
    import('../../plugins/identity/federation/refusals.js'),
  ])
  const outbound = createOutbound(federation)
  const check = 'identity providers'
  const log = { warn: () => undefined }
  const { ok, fault } = findingsOf(check)
  try {
    return await attempt(check, () =>
      Promise.all(
        createProviders(federation, { outbound, clock: machineClock, log }).map(async ({ settings, checkMetadata }) => {
          const { platform, kind, issuer } = settings
          if (!checkMetadata) return ok(`${platform}: ${kind} has no metadata to compare`)
          try {
            await checkMetadata()
            return ok(`${platform}: the metadata are those of ${issuer}`)
          } catch (error) {
            const advice = `Compare issuer of ${platform} in config.json with the provider, character by character, and see whether this machine may reach it.`
            return fault(toCause(platform, error).message, advice)
          }
        }),
      ),
    )
  } finally {
    await outbound.close()
  }
}
