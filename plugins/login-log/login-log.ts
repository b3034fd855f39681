import type { LoginLogFilter, LoginLogRepository, LoginEvent } from '../../db/login-log.js'
import type { Clock } from '../clock.js'

/** What of a submitted text is kept. Code points. */
const longestText = 200

/** One line of printable text: what somebody submits must not look like another line of the log (ASVS 16.4.1). */
const toLine = (text: string): string =>
  [...text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, longestText).join('').trim()

/** Keeps who tried to sign in, when, from where, how, and what came of it. No credential is ever among it. */
export const createLoginLog = (
  repository: LoginLogRepository,
  clock: Clock,
  log: { info(details: object, message: string): void },
) => ({
  async record(event: Omit<LoginEvent, 'time'>): Promise<void> {
    const line = {
      ...event,
      time: clock.now(),
      subject: toLine(event.subject),
      authType: toLine(event.authType),
      userAgent: toLine(event.userAgent),
    }
    await repository.add(line)
    const { tenantId, userId, authType, userClient, address, reason } = line
    log.info({ tenantId, userId, authType, userClient, address, reason }, 'sign-in')
  },

  list: (filter: LoginLogFilter): Promise<LoginEvent[]> => repository.list(filter),
})

export type LoginLog = ReturnType<typeof createLoginLog>
