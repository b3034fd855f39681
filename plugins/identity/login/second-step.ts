import type { LoginRequest, LoginResult } from '../../../schemas/login.js'
import { invalidField, isProblem, problem, type Problem } from '../../../lib/problem.js'
import type { LoginLog } from '../../record/login-log/login-log.js'
import type { Notices } from '../../record/notices/notices.js'
import type { Sessions } from '../../sessions/sessions/sessions.js'
import type { Attempts } from '../../throttle/attempts/attempts.js'
import type { FactorKind, Factors, ProvedFactor } from '../second-factor/factors.js'
import type { FactorTickets, FoundTicket } from '../second-factor/tickets.js'
import type { TrustedDevices } from '../second-factor/trusted-devices.js'
import type { AfterSignIn } from './after-sign-in.js'
import type { Gate } from './gate.js'
import type { ClientContext } from './client-context.js'

interface Collaborators {
  factors: Pick<Factors, 'has' | 'proveCode' | 'provePasskey' | 'recoveryCodesLeft'>
  tickets: FactorTickets
  trustedDevices: Pick<TrustedDevices, 'trust'>
  gate: Gate
  sessions: Pick<Sessions, 'start'>
  attempts: Pick<Attempts, 'limitFactors' | 'names'>
  loginLog: LoginLog
  notices: Pick<Notices, 'tell'>
  afterSignIn: AfterSignIn
}

/** Answers that say that a factor is wrong. */
const isWrongFactor = (error: unknown): error is Problem =>
  isProblem(error) && ['invalid_code', 'invalid_grant', 'unknown_credential'].includes(error.code)

/** The second step of a sign-in: a code or a passkey for the ticket of the first one. */
export const createSecondStep = (collaborators: Collaborators) => {
  const { factors, tickets, trustedDevices, gate, sessions, attempts, loginLog, notices, afterSignIn } = collaborators

  /** Proves a factor of the account of a ticket, and uses both up. */
  const prove = async (
    kind: FactorKind,
    { code = '', credential }: LoginRequest,
    ticket: string,
    { user, countTry, take }: FoundTicket,
    client: ClientContext,
  ): Promise<ProvedFactor> => {
    if (!(await factors.has(user, kind))) throw problem('unsupported_auth_type')
    const tryOnce = async (): Promise<ProvedFactor> => {
      const left = await countTry()
      let factor: ProvedFactor
      try {
        factor = await (kind === 'passkey'
          ? factors.provePasskey(user, credential, ticket, client)
          : factors.proveCode(kind, user, code))
      } catch (error) {
        if (left > 0 || !isWrongFactor(error)) throw error
        // Of parallel tries with one code the one that used it still has to take the ticket, which is good for no further try.
        if (error.details.wasUsed !== true) await tickets.end(ticket)
        // Whoever has come this far knows the password.
        notices.tell(user, 'factor_guessed', client)
        throw error
      }
      await take()
      return factor
    }
    // A passkey cannot be guessed, so it is never paused: wrong codes of others do not keep the owner out.
    if (kind === 'passkey') return tryOnce()
    const device = client.devices.idFor({ userId: user.id, tenantId: user.tenantId })
    return attempts.limitFactors({ userId: user.id, address: client.address, device }, tryOnce)
  }

  /** Starts the session of a sign-in whose factor was proved, and writes it into the login log. */
  const finish = async (
    { user, step }: Pick<FoundTicket, 'user' | 'step'>,
    factor: ProvedFactor,
    client: ClientContext,
  ): Promise<LoginResult> => {
    const { address, userAgent } = client
    const { userClient } = step
    const subject = step.subject ?? ({ kind: 'username', text: user.username } as const)
    const deviceId = client.devices.idFor({ userId: user.id, tenantId: user.tenantId })
    const event = { tenantId: user.tenantId, subject, authType: factor.kind, userClient, address, userAgent }
    const entry = loginLog.succeeded(event, user.id)
    // Before the session: a database that fails here must leave none behind.
    const history = await attempts.names.readHistory(user.tenantId, subject, address)
    const result = await gate({ user, step, isTwoFactors: false, factor, deviceId }, (decision) =>
      sessions.start(decision, { userClient, address, userAgent, deviceId }, entry.write),
    )
    entry.log()
    const { hasUsedCode } = step
    await afterSignIn(user, {
      ...{ subject: step.subject, history, hasUsedCode, isNewDevice: deviceId === undefined, client },
    })
    return result
  }

  /** Throws the 400, 403 and 429 reasons of a sign-in. */
  const answer = async (kind: FactorKind, request: LoginRequest, client: ClientContext): Promise<LoginResult> => {
    const { ticket, trustDevice, tenantId, userClient } = request
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
      // Before the session, like whatever may fail. A trust without a session is of no use: its cookie comes with the answer.
      const left = kind === 'recovery' ? await factors.recoveryCodesLeft(user) : undefined
      if (trustDevice === true) {
        const account = { userId: user.id, tenantId: user.tenantId }
        await trustedDevices.trust(user.id, { deviceId: client.devices.idToIssue(account), userAgent, address })
      }
      const result = await finish(found, factor, client)
      if (left !== undefined) notices.tell(user, 'recovery_code_used', client, { left: String(left) })
      return result
    } catch (error) {
      if (isProblem(error)) await loginLog.refused(event, error.code)
      throw error
    }
  }

  return { answer, finish }
}

export type SecondStep = ReturnType<typeof createSecondStep>
