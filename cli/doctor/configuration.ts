import type { Installation } from '../../app.js'
import { isLoopback } from '../../lib/loopback.js'
import { ConfigurationError } from '../../plugins/run/config/settings.js'
import { findingsOf, type Finding } from './finding.js'

const { ok, warning, fault } = findingsOf('configuration')

/** Settings that are right, but not for every installation. */
const warnings = ({ settings, devEcho, retiredSettings }: Installation): Finding[] => {
  const found: Finding[] = []
  if (retiredSettings.length > 0) {
    found.push(warning(`config.json has settings that no longer exist: ${retiredSettings.join(', ')}`, 'Remove them.'))
  }
  if (devEcho) {
    found.push(
      warning(
        'ROLLCALL_DEV_ECHO is on: responses contain captcha answers and codes',
        'Unset it outside of development.',
      ),
    )
  }
  if (!settings.rateLimits.enabled) {
    found.push(warning('the rate limits are off (RATE_LIMITS)', 'Set RATE_LIMITS to on, except for benchmarks.'))
  }
  if (!isLoopback(settings.host) && settings.trustProxy.length === 0) {
    found.push(
      warning(
        `the service listens on ${settings.host} and trusts no proxy`,
        'Put a proxy with TLS in front of it and name the proxy in TRUST_PROXY: otherwise passwords cross the network unencrypted, ' +
          'or all clients behind the proxy count as one address.',
      ),
    )
  }
  return found
}

/** The configuration, if it can be used, and what was found. */
export const checkConfiguration = async (): Promise<{ installation?: Installation; findings: Finding[] }> => {
  const { openInstallation } = await import('../installation.js')
  try {
    const installation = openInstallation(process.env, { create: false })
    const found = warnings(installation)
    const fine = ok(`${installation.directory}/config.json and the environment have no fault`)
    return { installation, findings: found.length > 0 ? found : [fine] }
  } catch (error) {
    if (error instanceof ConfigurationError) {
      const advice = 'Correct the setting, see docs/configuration.md.'
      return {
        findings: error.faults.map(({ name, source, message }) => fault(`${name} (${source}) ${message}`, advice)),
      }
    }
    return { findings: [fault((error as Error).message, 'The other checks need a data directory.')] }
  }
}
