import type { Settings } from '../../../schemas/settings.js'

/** Memory is bounded too, where the descriptor limit is a million, as in many containers. */
const maxInAll = 10_000

/** How many descriptors the process may have open. Infinity where the system has no such limit. */
export const descriptorLimit = (): number => {
  // Not in the types yet. Open connections would be looked up by name.
  const report = process.report as typeof process.report & { excludeNetwork: boolean }
  const { excludeNetwork } = report
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  report.excludeNetwork = excludeNetwork
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

export interface ConnectionLimits {
  inAll: number
  perAddress: number
}

/** A quarter of the descriptors is left to the database, the log and what the service itself connects to. */
export const connectionLimits = (settings: Settings['connections'], descriptors: number): ConnectionLimits => {
  const inAll = settings.inAll ?? Math.min(maxInAll, Math.max(1, Math.floor((descriptors * 3) / 4)))
  return { inAll, perAddress: Math.min(settings.perAddress, Math.max(1, Math.floor(inAll / 2))) }
}
