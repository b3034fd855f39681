import type { Needs } from '../../lib/needs.js'
import { accountOf } from '../../lib/account-of.js'
import type { Repositories } from '../../db/index.js'
import type { SignInName } from '../../db/sign-in-names.js'
import type { SignInEvent } from '../record/login-log/login-log.js'
import type { ClientContext } from '../identity/devices/client.js'
import type { AfterSignIn } from './after-sign-in.js'
import type { Gate } from './gate.js'
import type { NextStep, Outcome } from './outcome.js'
import type { Proved } from './proved.js'

export interface CompleteOptions {
  /** Whether a page of this origin keeps the session by a cookie. */
  page?: boolean
}

type NamedEvent = SignInEvent & { subject: SignInName }

/** Whoever has proved to be a user has a name, also where none was submitted. */
const named = ({ event, user }: Proved): NamedEvent => ({
  ...event,
  subject: event.subject ?? { kind: 'username', text: user.username },
})

const withoutTicket = <T>(work: () => Promise<T>): Promise<T> => work()

export const createComplete = (
  { loginLog, notices, secondFactor, sessions }: Needs<'loginLog' | 'notices' | 'secondFactor' | 'sessions'>,
  gate: Gate,
  afterSignIn: AfterSignIn,
) => {
  const goOn = async (event: NamedEvent, next: NextStep): Promise<NextStep> => {
    await loginLog.goesOn(event, next.outcome)
    return next
  }

  /**
   * Ends a sign-in, by whatever it was proved. In one transaction the proof is used, the session starts with what the page cookie needs,
   * the login log is written, and the device gets its new id and is trusted: what is refused uses nothing up and leaves nothing behind.
   * Resolves to the step that has to come first where the gate asks for one. Throws what `sessions.start` throws.
   */
  return async (proved: Proved, client: ClientContext, { page = false }: CompleteOptions = {}): Promise<Outcome> => {
    const { user, step, factor, trustsDevice, spend = withoutTicket } = proved
    const event = named(proved)
    const decision = await gate.decide(proved, client)
    if (decision.outcome !== 'start') return goOn(event, decision)
    const { address, userAgent, acceptLanguage, devices } = client
    const entry = loginLog.succeeded(event, user.id)
    const account = accountOf(user)
    const known = devices.idFor(account)
    const renewal = decision.proof.acr === 'aal2' ? devices.renewId(account) : undefined
    const deviceId = known === undefined ? undefined : (renewal?.id ?? known)
    let codesLeft: number | undefined
    const write = async (inside: Repositories): Promise<void> => {
      await renewal?.move(inside)
      if (trustsDevice && renewal)
        await secondFactor.trustedDevices.trust(inside, user.id, { deviceId: renewal.id, userAgent, address })
      if (factor?.kind === 'recovery') codesLeft = await inside.recoveryCodes.left(user.id)
      await entry.write(inside)
    }
    const { userClient } = step
    const sessionClient = { userClient, address, userAgent, deviceId, acceptLanguage, hasPage: page }
    const started = await spend(() => sessions.start(decision, sessionClient, write))
    if (!started) return goOn(event, await gate.setUp(proved))
    entry.log()
    await afterSignIn(proved, client)
    if (codesLeft !== undefined) notices.tell(user, 'recovery_code_used', client, { left: String(codesLeft) })
    return { outcome: 'session', ...started }
  }
}

export type Complete = ReturnType<typeof createComplete>
