import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Clock } from '../../../lib/clock.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { toTime } from '../../../lib/time-text.js'
import type { StepUpRequest, StepUpResult } from '../../../schemas/factors.js'
import type { ClientContext } from '../../identity/login/client-context.js'
import type { Factors } from '../../identity/second-factor/factors.js'
import type { Attempts } from '../../throttle/attempts/attempts.js'
import type { Administration } from '../write/administration.js'
import type { createCheckPassword } from '../write/check-password.js'

interface Collaborators {
  db: Database
  factors: Pick<Factors, 'has' | 'proveCode' | 'provePasskey'>
  checkPassword: ReturnType<typeof createCheckPassword>
  attempts: Pick<Attempts, 'limitFactors'>
  writes: Administration['writes']
  clock: Clock
}

/** Proves a password or a second factor in the session of a signed-in user (RFC 9470). */
export const createStepUp = ({ db, factors, checkPassword, attempts, clock }: Collaborators) => {
  const prove = async (
    caller: SessionOwner,
    { authType, password, code, credential }: StepUpRequest,
    client: ClientContext,
  ): Promise<{ amr: string[]; isFactor: boolean }> => {
    const { user, tenant, session } = caller
    if (authType === 'password') {
      if (password === undefined) throw invalidField('password', 'required')
      await checkPassword(caller, password, client.address)
      return { amr: ['pwd'], isFactor: false }
    }
    if (authType === 'passkey') {
      if (credential === undefined) throw invalidField('credential', 'required')
      if (!(await factors.has(user, authType))) throw problem('unsupported_auth_type')
      const { amr } = await factors.provePasskey(user, credential, session.id, client)
      return { amr, isFactor: true }
    }
    if (authType !== 'totp' && authType !== 'recovery') throw problem('unsupported_auth_type')
    if (code === undefined) throw invalidField('code', 'required')
    if (!(await factors.has(user, authType))) throw problem('unsupported_auth_type')
    const device = client.devices.idFor({ userId: user.id, tenantId: tenant.id })
    const { amr } = await attempts.limitFactors({ userId: user.id, address: client.address, device }, () =>
      factors.proveCode(authType, user, code),
    )
    return { amr, isFactor: true }
  }

  /** Throws `invalid_credentials`, `invalid_code`, `invalid_grant`, `unknown_credential`, `unsupported_auth_type` and `too_many_attempts`. */
  return async (caller: SessionOwner, request: StepUpRequest, client: ClientContext): Promise<StepUpResult> => {
    const { amr, isFactor } = await prove(caller, request, client)
    const { session } = caller
    const now = clock.now()
    const proof = {
      acr: isFactor ? ('aal2' as const) : session.acr,
      amr: [...new Set([...session.amr, ...amr])],
      authTime: now,
      factorTime: isFactor ? now : session.factorTime,
    }
    await db.transaction(({ sessions }) => sessions.setAuthentication(session.id, proof), { session: session.id })
    return { acr: proof.acr, amr: proof.amr, authTime: toTime(now) }
  }
}
