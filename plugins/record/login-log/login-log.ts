import type {
  LoginLogFilter,
  LoginLogRepository,
  LoginEvent,
  NewLoginEvent,
} from '../../../db/repositories/login-log.js'
import type { UserRepository } from '../../../db/repositories/users.js'
import type { SignInName } from '../../../db/sign-in-names.js'
import { createObservers } from '../../../lib/observers.js'
import { toOneLine } from '../../../lib/one-line.js'
import type { Clock } from '../../../lib/clock.js'
import { isProblem } from '../../../lib/problem.js'
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
export type SignInEvent = Omit<NewLoginEvent, 'time' | 'userId' | 'reason' | 'subject'> & {
  /** Undefined for a refused sign-in without a name. */
  subject: SignInName | undefined
}

/** The login log: every sign-in with its time, source, method and outcome. It never contains a credential. */
export const createLoginLog = (
  repository: LoginLogRepository,
  refusals: Refusals,
  users: UserRepository,
  clock: Clock,
  log: { info(details: object, message: string): void },
) => {
  const outcomes = createObservers<[authType: string, reason: string | null]>()

  /** The submitted name as it is stored. */
  const shown = async ({ tenantId, subject }: SignInEvent): Promise<string> => {
    const text = subject?.text ?? ''
    // All three kinds are looked up, always: otherwise a known name would be answered faster.
    const found = await Promise.all([
      users.findByUsername(tenantId, text),
      users.findByPhone(tenantId, { key: text, display: text }),
      users.findByEmail(tenantId, text),
    ])
    return found.some((user) => user !== undefined) ? text : mask(text)
  }

  const toEntry = (event: Omit<NewLoginEvent, 'time' | 'subject'>, subject: string): NewLoginEvent => ({
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

  const record = async (event: SignInEvent, subject: string, reason: string): Promise<void> => {
    const entry = toEntry({ ...event, userId: null, reason }, subject)
    await refusals.add({ ...entry, nameKind: event.subject?.kind })
    writeLine(entry)
  }

  /** Records a refusal; equal ones within an hour share one row. */
  const refused = async (event: SignInEvent, reason: string): Promise<void> => record(event, await shown(event), reason)

  return {
    refused,

    /** Runs a part of a sign-in, and records what it refuses. */
    async watch<T>(event: SignInEvent, work: () => Promise<T>): Promise<T> {
      try {
        return await work()
      } catch (error) {
        if (isProblem(error)) await refused(event, error.code)
        throw error
      }
    },

    /** Records a step after which another one is needed (`reasonsToGoOn`), which is no refusal. Equal ones share a row, too. */
    goesOn: (event: SignInEvent & { subject: SignInName }, reason: string): Promise<void> =>
      record(event, event.subject.text, reason),

    /**
     * Records a success: `write` adds the row in the transaction of the session, `log` writes the log line after commit.
     */
    succeeded(event: SignInEvent, userId: number) {
      const entry = toEntry({ ...event, userId, reason: null }, event.subject?.text ?? '')
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
