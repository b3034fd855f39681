import type { Needs } from '../../lib/needs.js'
import { invalidField, isProblem, type Problem } from '../../lib/problem.js'
import type { LoginRequest } from '../../schemas/login.js'
import type { ClientContext } from '../identity/devices/client.js'
import type { FactorKind, ProvedFactor } from '../identity/second-factor/factors.js'
import type { FoundTicket } from '../identity/second-factor/tickets.js'
import type { SignInEvent } from '../record/login-log/login-log.js'
import type { UseProof } from '../sessions/sessions/start.js'
import type { Proved } from './proved.js'

/** Answers that say that a factor is wrong. */
const isWrongFactor = (error: unknown): error is Problem =>
  isProblem(error) && ['invalid_code', 'invalid_grant', 'unknown_credential'].includes(error.code)

/** A ticket whose sign-in ends, and how it is used up. */
type FinishedTicket = Pick<FoundTicket, 'user' | 'step' | 'recheck' | 'spend'>

const eventOf = ({ user, step }: Pick<FoundTicket, 'user' | 'step'>, kind: FactorKind, client: ClientContext) => {
  const { address, userAgent } = client
  const subject = step.subject ?? ({ kind: 'username', text: user.username } as const)
  const { userClient } = step
  return { tenantId: user.tenantId, subject, authType: kind, userClient, address, userAgent } satisfies SignInEvent
}

/** The second step of a sign-in: a code or a passkey for the ticket of the first one. */
export const createSecondStep = ({
  attempts,
  loginLog,
  secondFactor,
}: Needs<'attempts' | 'loginLog' | 'secondFactor'>) => {
  const { tickets } = secondFactor

  /** Checks a factor of the account of a ticket. */
  const check = async (
    kind: FactorKind,
    { code, credential }: LoginRequest,
    ticket: string,
    { user, countTry }: FoundTicket,
    client: ClientContext,
  ): Promise<ProvedFactor> => {
    const proveFactor = await secondFactor.proverOf(user, kind)
    const tryOnce = async (): Promise<ProvedFactor> => {
      const left = await countTry()
      try {
        return await proveFactor({ code, credential }, ticket, client)
      } catch (error) {
        if (left > 0 || !isWrongFactor(error)) throw error
        // Of parallel tries with one code the one that used it still has to take the ticket, which is good for no further try.
        if (error.details.wasUsed !== true) await tickets.end(ticket)
        throw error
      }
    }
    return secondFactor.check({ user, kind, client }, tryOnce)
  }

  /**
   * A ticket with a factor that was proved or set up for it. When the sign-in is completed the ticket is asked again what it was given for,
   * and the factor is used: a sign-in that is refused uses nothing up.
   */
  const withFactor = async (
    { user, step, recheck, spend }: FinishedTicket,
    factor: ProvedFactor,
    client: ClientContext,
    trustsDevice = false,
  ): Promise<Proved> => {
    const event = eventOf({ user, step }, factor.kind, client)
    const history = await attempts.names.readHistory(user.tenantId, event.subject, client.address)
    const use: UseProof = async (inside) => {
      await recheck(inside)
      await factor.use(inside)
    }
    return { user, step, isTwoFactors: false, factor, trustsDevice, event, history, use, spend }
  }

  return {
    withFactor,

    /** Throws the 400, 403 and 429 reasons of a second step. */
    async prove(kind: FactorKind, request: LoginRequest, client: ClientContext): Promise<Proved> {
      const { ticket, trustDevice, tenantId, userClient } = request
      if (ticket === undefined) throw invalidField('ticket', 'required')
      const found = await tickets.find(ticket, 'finish', { tenantId, userClient })
      return loginLog.watch(eventOf(found, kind, client), async () =>
        withFactor(found, await check(kind, request, ticket, found, client), client, trustDevice),
      )
    },
  }
}

export type SecondStep = ReturnType<typeof createSecondStep>
