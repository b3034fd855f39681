import { invalidField, problem } from '../../../lib/problem.js'
import { isVisible, visibleTenant, type Manager } from '../../../plugins/people/manage/policy.js'
import type { Client } from '../repositories/clients.js'
import { rules } from '../rules.js'

type Owned = Pick<Client, 'tenantId' | 'access'>

/** The first tenant of an application that the actor does not see. */
const foreignTenant = (actor: Manager, { tenantId, access }: Owned): number | undefined =>
  [tenantId, ...access.tenants].find((id) => !isVisible(actor, id))

/** Throws `not_found` when the actor does not see the application: what belongs to another tenant does not exist. */
export const checkSees = (actor: Manager, { tenantId }: Owned): void => {
  if (!isVisible(actor, tenantId)) throw problem('not_found')
}

/** Throws `not_found` or `permission_denied` when the actor may not change it: one that is open to other tenants is not theirs alone. */
export const checkChanges = (actor: Manager, client: Owned): void => {
  checkSees(actor, client)
  if (foreignTenant(actor, client) !== undefined) throw problem('permission_denied')
}

/** Throws `invalid_request` when the actor may not make it so. A tenant that it does not see is named as one that does not exist. */
export const checkMakes = (actor: Manager, client: Owned): void => {
  const id = foreignTenant(actor, client)
  if (id !== undefined)
    throw invalidField(id === client.tenantId ? 'tenantId' : 'access.tenants', rules.noTenant, { id })
}

/** Throws `permission_denied` when the actor sees one tenant only: a host belongs to the proxies of the installation, not to a tenant. */
export const checkSetsHosts = (actor: Manager): void => {
  if (visibleTenant(actor) !== undefined) throw problem('permission_denied')
}
