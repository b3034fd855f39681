import { collectDefaultMetrics, Counter, Gauge, Histogram, openMetricsContentType, Registry } from 'prom-client'
import { isOutage } from '../../../db/outage.js'
import { OverloadError, RedisError } from '../../../db/errors.js'

/** What the metrics ask for when they are read. Each answer must take less than a millisecond. */
export interface Readings {
  waitingHashes: () => number
  loginLogRows: () => Promise<number>
  /** Undefined until they have been counted once. */
  liveSessions: () => number | undefined
}

/** Seconds: from a token check to a sign-in that waits for a hash. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * The metrics of one service. All labels have few values: templates of routes, methods, classes of status, names of sign-in
 * methods, reasons of the catalogue.
 */
export const createMetrics = (readings: Readings) => {
  const register = new Registry<typeof openMetricsContentType>()
  register.setContentType(openMetricsContentType)
  collectDefaultMetrics({ register: register as unknown as Registry })
  const registers = [register as unknown as Registry]

  const requests = new Histogram({
    name: 'rollcall_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: durations,
    registers,
  })
  const signIns = new Counter({
    name: 'rollcall_sign_ins_total',
    help: 'Sign-ins by method and outcome, which is success or the reason of the refusal',
    labelNames: ['method', 'outcome'],
    registers,
  })
  const hashWaits = new Histogram({
    name: 'rollcall_hash_wait_seconds',
    help: 'Time that a password waits for a hash thread',
    buckets: durations,
    registers,
  })
  const failures = new Counter({
    name: 'rollcall_failures_total',
    help: 'Answers with a status of 500 or more: database or redis (they cannot serve), overload (too many wait), internal (a defect)',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of ['database', 'redis', 'overload', 'internal']) failures.inc({ kind }, 0)
  new Gauge({
    name: 'rollcall_hash_queue_length',
    help: 'Passwords that wait for a hash thread',
    registers,
    collect() {
      this.set(readings.waitingHashes())
    },
  })
  new Gauge({
    name: 'rollcall_live_sessions',
    help: 'Sessions that are alive, counted in the background every minute or less often',
    registers,
    collect() {
      const count = readings.liveSessions()
      if (count !== undefined) this.set(count)
    },
  })
  new Gauge({
    name: 'rollcall_login_log_rows',
    help: 'Rows of the login log, or a few more: deleted rows in the middle are counted',
    registers,
    async collect() {
      this.set(await readings.loginLogRows())
    },
  })

  const largeLists = new Counter({
    name: 'rollcall_user_lists_without_room_total',
    help: 'Lists of users that did not fit into the memory of lists (userList.memoryMiB) and were read for one page',
    registers,
  })

  const kindOf = (cause: unknown): string => {
    if (cause instanceof OverloadError) return 'overload'
    if (cause instanceof RedisError) return 'redis'
    return isOutage(cause) ? 'database' : 'internal'
  }

  return {
    contentType: openMetricsContentType,
    registers,
    read: () => register.metrics(),
    answered(method: string, route: string | undefined, status: number, seconds: number): void {
      const labels = route === undefined ? { method: 'any', route: 'unknown' } : { method, route }
      requests.observe({ ...labels, status: `${Math.floor(status / 100)}xx` }, seconds)
    },
    signedIn: (method: string, reason: string | null): void => signIns.inc({ method, outcome: reason ?? 'success' }),
    listHadNoRoom: (): void => largeLists.inc(),
    hashWaited: (milliseconds: number): void => hashWaits.observe(milliseconds / 1000),
    failed: (cause: unknown): void => failures.inc({ kind: kindOf(cause) }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
