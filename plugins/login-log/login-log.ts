import type { LoginLogFilter, LoginLogRepository, LoginEvent, NewLoginEvent } from '../../db/repositories/login-log.js'
import type { UserRepository } from '../../db/repositories/users.js'
import { createObservers } from '../../lib/observers.js'
import { toOneLine } from '../../lib/one-line.js'
import type { Clock } from '../../lib/clock.js'
import type { Refusals } from './refusals.js'

/** Longer submitted texts are cut off. Code points. */
const maxTextLength = 200

/** One line of printable text, so that a submitted text cannot forge another line of the log (ASVS 16.4.1). */
const toLine = (text: string): string => {
  const line = toOneLine(text)
  return (line.length <= maxTextLength ? line : [...line].slice(0, maxTextLength).join('')).trim()
}

/** A name without an account is masked after its first character: people type passwords into the wrong field. */
const mask = (text: string): string => `${[...text][0] ?? ''}******`

/** A sign-in before its outcome is known. */
export type SignInEvent = Omit<NewLoginEvent, 'time' | 'userId' | 'reason'>

/** The login log: every sign-in with its time, source, method and outcome. It never contains a credential. */
export const createLoginLog = (
  repository: LoginLogRepository,
  refusals: Refusals,
  users: UserRepository,
  clock: Clock,
  log: { info(details: object, message: string): void },
) => {
  const outcomes = createObservers<[authType: string, reason: string | null]>()

  const isKnown = async (tenantId: number, subject: string): Promise<boolean> => {
    // All three, always: otherwise a known name would be answered faster.
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
  const writeLine = ({ tenantId, userId, authType, userClient, address, reason }: NewLoginEvent) => {
    log.info({ tenantId, userId, authType, userClient, address, reason }, 'sign-in')
    outcomes.tell(authType, reason)
  }

  return {
    /** Records a refusal; equal ones within an hour share one row. */
    async refused(event: SignInEvent, reason: string): Promise<void> {
      const subject = (await isKnown(event.tenantId, event.subject)) ? event.subject : mask(event.subject)
      const entry = toEntry({ ...event, userId: null, reason }, subject)
      await refusals.add(entry)
      writeLine(entry)
    },

    /**
     * Records a success: `write` adds the row in the transaction of the session, `log` writes the log line after commit.
     */
    succeeded(event: SignInEvent, userId: number) {
      const entry = toEntry({ ...event, userId, reason: null }, event.subject)
      return {
        write: ({ loginLog }: { loginLog: Pick<LoginLogRepository, 'add'> }) => loginLog.add(entry, null),
        log: () => writeLine(entry),
      }
    },

    /** Calls `listener` with the method and the outcome of each sign-in; the reason of a success is null. */
    onOutcome: outcomes.add,

    list: (filter: LoginLogFilter): Promise<LoginEvent[]> => repository.list(filter),
  }
}

export type LoginLog = ReturnType<typeof createLoginLog>
