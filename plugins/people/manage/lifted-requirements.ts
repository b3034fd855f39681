import type { Needs } from '../../../lib/needs.js'
import { problem } from '../../../lib/problem.js'
import type { Manager } from './policy.js'

/** Administrators who are told of one change: enough that somebody reads it. */
const maxTold = 20

/** Of whom a second factor is no longer required. */
export interface LiftedRequirement {
  kind: 'role' | 'tenant' | 'user'
  name: string
  tenantId: number
}

/**
 * Takes care when somebody takes a required second factor away: from a tenant, a role with all who have it, or one user, by an exemption or by
 * taking the role. Whoever it binds could otherwise do it with a password alone.
 */
export const createLiftedRequirements = ({ db, notices, secondFactor }: Needs<'db' | 'notices' | 'secondFactor'>) => ({
  /** Throws `step_up_required` unless the caller has proved a second factor in the session within ten minutes. Commands may. */
  async check({ caller }: Manager): Promise<void> {
    if (caller?.token) throw problem('token_not_allowed')
    if (caller && !secondFactor.isProved(caller.session)) await secondFactor.stepUp(caller.user)
  },

  /** Tells the system administrators and those of the tenant, after the commit. */
  async tell(actor: Manager, lifted: LiftedRequirement | undefined): Promise<void> {
    if (!lifted) return
    const { kind, name, tenantId } = lifted
    const by = actor.caller?.user.username ?? actor.operator ?? ''
    for (const administrator of await db.roles.administratorsOf(tenantId, maxTold))
      notices.tell(administrator, `${kind}_factor_lifted`, actor, { by, of: name })
  },
})

export type LiftedRequirements = ReturnType<typeof createLiftedRequirements>
