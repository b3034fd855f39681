import type { LoginLogFilter, LoginLogRepository, LoginEvent, NewLoginEvent } from '../../db/repositories/login-log.js'
import type { UserRepository } from '../../db/repositories/users.js'
import { toOneLine } from '../../lib/one-line.js'
import type { Clock } from '../../lib/clock.js'
import type { Refusals } from './refusals.js'

/** What of a submitted text is kept. Code points. */
const maxTextLength = 200

/** One line of printable text: what somebody submits must not look like another line of the log (ASVS 16.4.1). */
const toLine = (text: string): string => {
  const line = toOneLine(text)
  return (line.length <= maxTextLength ? line : [...line].slice(0, maxTextLength).join('')).trim()
}

/** Of a name that nobody has, only the beginning is kept: people type passwords into the wrong field. */
const mask = (text: string): string => `${[...text][0] ?? ''}******`

/** Who tried to sign in, and how. */
export type Try = Omit<NewLoginEvent, 'time' | 'userId' | 'reason'>

/** Keeps who tried to sign in, when, from where, how, and what came of it. No credential is ever among it. */
export const createLoginLog = (
  repository: LoginLogRepository,
  refusals: Refusals,
  users: UserRepository,
  clock: Clock,
  log: { info(details: object, message: string): void },
) => {
  const isKnown = async (tenantId: number, subject: string): Promise<boolean> => {
    // All three, whatever comes first: a known name must not be answered faster.
    const found = await Promise.all([
      users.findByUsername(tenantId, subject),
      users.findByPhone(tenantId, { key: subject, display: subject }),
      users.findByEmail(tenantId, subject),
    ])
    return found.some((user) => user !== undefined)
  }

  const toEntry = (event: Omit<NewLoginEvent, 'time'>, subject: string): NewLoginEvent => ({
    ...event,
    time: clock.now(),
    subject: toLine(subject),
    authType: toLine(event.authType),
    userAgent: toLine(event.userAgent),
  })
  const tell = ({ tenantId, userId, authType, userClient, address, reason }: NewLoginEvent) => {
    log.info({ tenantId, userId, authType, userClient, address, reason }, 'sign-in')
  }

  return {
    /** Records a refusal; equal ones of an hour as one. */
    async refused(event: Try, reason: string): Promise<void> {
      const subject = (await isKnown(event.tenantId, event.subject)) ? event.subject : mask(event.subject)
      const entry = toEntry({ ...event, userId: null, reason }, subject)
      await refusals.add(entry)
      tell(entry)
    },

    /** Records a success by `keep`, in the transaction of the session, and tells it once that is kept. */
    succeeded(event: Try, userId: number) {
      const entry = toEntry({ ...event, userId, reason: null }, event.subject)
      return {
        keep: ({ loginLog }: { loginLog: Pick<LoginLogRepository, 'add'> }) => loginLog.add(entry, null),
        tell: () => tell(entry),
      }
    },

    list: (filter: LoginLogFilter): Promise<LoginEvent[]> => repository.list(filter),
  }
}

export type LoginLog = ReturnType<typeof createLoginLog>
