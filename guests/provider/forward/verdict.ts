import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import type { Clock } from '../../../lib/clock.js'
import { refusalOf } from '../person.js'
import type { Client } from '../repositories/clients.js'
import { requirementOf } from './paths.js'

/** What becomes of a request for a protected host. */
export type Verdict =
  /** Nobody is known where a path is open and nobody is signed in, or who is may not use the application. */
  | { kind: 'pass'; owner: SessionOwner | undefined }
  /** Nobody is signed in, or not recently or well enough. */
  | { kind: 'sign-in'; lacks: 'session' | 'factor' | 'age'; owner: SessionOwner | undefined }
  /** `roles`: of which the person would need one; empty where the tenant is none of those that may. */
  | { kind: 'refused'; owner: SessionOwner; roles: string[] }

const hasOneOf = (owner: SessionOwner, roles: string[]): boolean =>
  roles.length === 0 || roles.some((role) => owner.grants.roleKeys.includes(role))

/** Decides by what the session, the person and the application are now. */
export const verdictOf = (client: Client, owner: SessionOwner | undefined, uri: string, clock: Clock): Verdict => {
  const { isOpen, roles } = requirementOf(uri, client)
  const refusal = owner && refusalOf(client, owner)
  if (isOpen) return { kind: 'pass', owner: refusal === undefined ? owner : undefined }
  if (!owner) return { kind: 'sign-in', lacks: 'session', owner }
  if (refusal !== undefined) return { kind: 'refused', owner, roles: refusal === 'role' ? client.access.roles : [] }
  const missing = roles.find((one) => !hasOneOf(owner, one))
  if (missing) return { kind: 'refused', owner, roles: missing }
  if (client.minAcr === 'aal2' && owner.session.acr !== 'aal2') return { kind: 'sign-in', lacks: 'factor', owner }
  const isOld = client.maxAge !== null && clock.now() - owner.session.authTime > client.maxAge * 1000
  return isOld ? { kind: 'sign-in', lacks: 'age', owner } : { kind: 'pass', owner }
}
