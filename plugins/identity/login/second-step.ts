import { accountOf } from '../../../lib/account-of.js'
import type { Repositories } from '../../../db/index.js'
import type { LoginRequest, LoginResult } from '../../../schemas/login.js'
import { invalidField, isProblem, problem, type Problem } from '../../../lib/problem.js'
import type { LoginLog } from '../../record/login-log/login-log.js'
import type { Notices } from '../../record/notices/notices.js'
import type { Sessions } from '../../sessions/sessions/sessions.js'
import type { UseProof } from '../../sessions/sessions/start.js'
import type { Attempts } from '../../throttle/attempts/attempts.js'
import type { CheckFactor } from '../second-factor/check-factor.js'
import type { FactorKind, Factors, ProvedFactor } from '../second-factor/factors.js'
import type { FactorTickets, FoundTicket } from '../second-factor/tickets.js'
import type { TrustedDevices } from '../second-factor/trusted-devices.js'
import type { AfterSignIn } from './after-sign-in.js'
import type { Gate } from './gate.js'
import type { ClientContext } from '../devices/client.js'

interface Collaborators {
  factors: Pick<Factors, 'has' | 'proveCode' | 'provePasskey'> & Pick<CheckFactor, 'check'>
  tickets: FactorTickets
  trustedDevices: Pick<TrustedDevices, 'trust'>
  gate: Gate
  sessions: Pick<Sessions, 'start'>
  attempts: Pick<Attempts, 'names'>
  loginLog: LoginLog
  notices: Pick<Notices, 'tell'>
  afterSignIn: AfterSignIn
}

/** Answers that say that a factor is wrong. */
const isWrongFactor = (error: unknown): error is Problem =>
  isProblem(error) && ['invalid_code', 'invalid_grant', 'unknown_credential'].includes(error.code)

/** A ticket whose sign-in ends, and how it is used up. */
type FinishedTicket = Pick<FoundTicket, 'user' | 'step' | 'recheck' | 'spend'>

interface FinishOptions {
  /** Whether the browser skips the second step from now on. */
  trustDevice?: boolean
  /** Runs in the transaction of the session. */
  alongside?: (inside: Repositories) => Promise<void>
}

/** The second step of a sign-in: a code or a passkey for the ticket of the first one. */
export const createSecondStep = (collaborators: Collaborators) => {
  const { factors, tickets, trustedDevices, gate, sessions, attempts, loginLog, notices, afterSignIn } = collaborators

  /** Checks a factor of the account of a ticket. */
  const prove = async (
    kind: FactorKind,
    { code = '', credential }: LoginRequest,
    ticket: string,
    { user, countTry }: FoundTicket,
    client: ClientContext,
  ): Promise<ProvedFactor> => {
    if (!(await factors.has(user, kind))) throw problem('unsupported_auth_type')
    const tryOnce = async (): Promise<ProvedFactor> => {
      const left = await countTry()
      try {
        return await (kind === 'passkey'
          ? factors.provePasskey(user, credential, ticket, client)
          : factors.proveCode(kind, user, code))
      } catch (error) {
        if (left > 0 || !isWrongFactor(error)) throw error
        // Of parallel tries with one code the one that used it still has to take the ticket, which is good for no further try.
        if (error.details.wasUsed !== true) await tickets.end(ticket)
        throw error
      }
    }
    return factors.check({ user, kind, client }, tryOnce)
  }

  /**
   * Starts the session of a sign-in whose factor was proved. In one transaction the ticket is asked again what it was given for, the factor
   * is used, the session starts, the login log is written, and with `trustDevice` the browser is trusted: a sign-in that is refused uses
   * nothing up.
   */
  const finish = async (
    { user, step, recheck, spend }: FinishedTicket,
    factor: ProvedFactor,
    client: ClientContext,
    { trustDevice = false, alongside }: FinishOptions = {},
  ): Promise<LoginResult> => {
    const { address, userAgent } = client
    const { userClient } = step
    const subject = step.subject ?? ({ kind: 'username', text: user.username } as const)
    const event = { tenantId: user.tenantId, subject, authType: factor.kind, userClient, address, userAgent }
    const entry = loginLog.succeeded(event, user.id)
    // Before the session: a database that fails here must leave none behind.
    const history = await attempts.names.readHistory(user.tenantId, subject, address)
    const device = client.devices.renewId(accountOf(user))
    const isNewDevice = !device.wasKnown
    const use: UseProof = async (inside) => {
      await recheck(inside)
      await factor.use(inside)
    }
    const write = async (inside: Repositories): Promise<void> => {
      await device.move(inside)
      if (trustDevice) await trustedDevices.trust(inside, user.id, { deviceId: device.id, userAgent, address })
      await alongside?.(inside)
      await entry.write(inside)
    }
    const proved = { user, step, isTwoFactors: false, factor, deviceId: undefined, use }
    const deviceId = isNewDevice ? undefined : device.id
    const started = { userClient, address, userAgent, deviceId, acceptLanguage: client.acceptLanguage }
    const result = await spend(() => gate(proved, (decision) => sessions.start(decision, started, write)))
    entry.log()
    const { hasUsedCode } = step
    await afterSignIn(user, { subject: step.subject, history, hasUsedCode, client })
    return result
  }

  /** Throws the 400, 403 and 429 reasons of a sign-in. */
  const answer = async (kind: FactorKind, request: LoginRequest, client: ClientContext): Promise<LoginResult> => {
    const { ticket, trustDevice = false, tenantId, userClient } = request
    if (ticket === undefined) throw invalidField('ticket', 'required')
    const found = await tickets.find(ticket, 'finish', { tenantId, userClient })
    const { user, step } = found
    const { address, userAgent } = client
    const subject = step.subject ?? ({ kind: 'username', text: user.username } as const)
    const event = {
      ...{ tenantId: user.tenantId, subject, authType: kind, userClient: step.userClient, address, userAgent },
    }
    try {
      const factor = await prove(kind, request, ticket, found, client)
      let left = 0
      const alongside = async (inside: Repositories): Promise<void> => {
        left = await inside.recoveryCodes.left(user.id)
      }
      const result = await finish(found, factor, client, {
        trustDevice,
        ...(kind === 'recovery' ? { alongside } : {}),
      })
      if (kind === 'recovery') notices.tell(user, 'recovery_code_used', client, { left: String(left) })
      return result
    } catch (error) {
      if (isProblem(error)) await loginLog.refused(event, error.code)
      throw error
    }
  }

  return { answer, finish }
}

export type SecondStep = ReturnType<typeof createSecondStep>
