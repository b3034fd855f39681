import type { Needs } from '../../../lib/needs.js'
import { accountOf } from '../../../lib/account-of.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { toTime } from '../../../lib/time-text.js'
import type { StepUpRequest, StepUpResult } from '../../../schemas/factors.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { UseProof } from '../../sessions/sessions/start.js'

/** Proves a password or a second factor in the session of a signed-in user (RFC 9470). */
export const createStepUp = ({
  accounts: { provePassword },
  clock,
  db,
  secondFactor: factors,
}: Needs<'accounts' | 'clock' | 'db' | 'secondFactor'>) => {
  const prove = async (
    caller: SessionOwner,
    { authType, password, code, credential }: StepUpRequest,
    client: ClientContext,
  ): Promise<{ amr: string[]; use?: UseProof }> => {
    const { user, session } = caller
    if (authType === 'password') {
      if (password === undefined) throw invalidField('password', 'required')
      await provePassword(caller, password, client.address)
      return { amr: ['pwd'] }
    }
    if (authType !== 'passkey' && authType !== 'totp' && authType !== 'recovery') throw problem('unsupported_auth_type')
    if (authType === 'passkey' && credential === undefined) throw invalidField('credential', 'required')
    if (authType !== 'passkey' && code === undefined) throw invalidField('code', 'required')
    const proveFactor = await factors.proverOf(user, authType)
    return factors.check({ user, kind: authType, client }, () => proveFactor({ code, credential }, session.id, client))
  }

  /** Throws `invalid_credentials`, `invalid_code`, `invalid_grant`, `unknown_credential`, `unsupported_auth_type` and `too_many_attempts`. */
  return async (caller: SessionOwner, request: StepUpRequest, client: ClientContext): Promise<StepUpResult> => {
    const { amr, use } = await prove(caller, request, client)
    const { session, user } = caller
    if (use) client.devices.noteFactor(accountOf(user))
    const now = clock.now()
    const proof = {
      acr: use ? ('aal2' as const) : session.acr,
      amr: [...new Set([...session.amr, ...amr])],
      authTime: now,
      factorTime: use ? now : session.factorTime,
    }
    await db.transaction(
      async (inside) => {
        await use?.(inside)
        await inside.sessions.setAuthentication(session.id, proof)
      },
      { user: user.id, session: session.id },
    )
    return { acr: proof.acr, amr: proof.amr, authTime: toTime(now) }
  }
}
