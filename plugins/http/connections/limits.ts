import type { Settings } from '../../../schemas/settings.js'

/** Limits memory where the descriptor limit is very high: in many containers it is a million. */
const maxInAll = 10_000

const readDescriptorLimit = (): number => {
  // Without `excludeNetwork`, which the types lack, the report would resolve the host names of open connections.
  const report = process.report as typeof process.report & { excludeNetwork: boolean }
  const { excludeNetwork } = report
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  report.excludeNetwork = excludeNetwork
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

let known: number | undefined

/** The limit of open file descriptors of the process; Infinity if there is none. The report takes milliseconds, and the limit stays. */
export const descriptorLimit = (): number => (known ??= readDescriptorLimit())

export interface ConnectionLimits {
  inAll: number
  perAddress: number
}

/** Leaves a quarter of the descriptors for the database, the log and outgoing connections. */
export const connectionLimits = (settings: Settings['connections'], descriptors: number): ConnectionLimits => {
  const inAll = settings.inAll ?? Math.min(maxInAll, Math.max(1, Math.floor((descriptors * 3) / 4)))
  return { inAll, perAddress: Math.min(settings.perAddress, Math.max(1, Math.floor(inAll / 2))) }
}
