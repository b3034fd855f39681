import { createReadAdministration } from './administrators.js'
import { createBatch } from './batch.js'
import { createBans, createLiftBan } from './bans.js'
import { createChange } from './change.js'
import { createManagedFactors } from './factors.js'
import { createSetPassword } from './passwords.js'
import { createManagedImport } from './imports.js'
import { createInviteMany } from './invite-many.js'
import { createManagedIdentities } from './identities.js'
import type { Manager } from './policy.js'
import { createRoles } from './roles.js'
import { createLiftedRequirements } from './lifted-requirements.js'
import { createManagedSessions } from './sessions.js'
import { createManagedMethods } from './tenant-methods.js'
import { createTenants } from './tenants.js'
import { createUserActions } from './user-actions.js'
import { createSetRoles } from './user-roles.js'
import { createTakenContacts } from './taken-contacts.js'
import { createManagedUsers } from './users.js'
import type { BatchAction } from '../../../schemas/managed-user.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Needs } from '../../../lib/needs.js'
import type { Actor } from '../../../lib/actor.js'
import type { MethodsChange, TenantMethod } from '../../identity/login/tenant-methods.js'

type ManagementNeeds = Needs<
  | 'accounts'
  | 'attempts'
  | 'audit'
  | 'clock'
  | 'db'
  | 'linkedIdentities'
  | 'lists'
  | 'login'
  | 'notices'
  | 'oneTimeCodes'
  | 'ownFactors'
  | 'passwords'
  | 'secondFactor'
  | 'store'
  | 'userList'
>

/** What administrators do with users, roles, tenants and sessions, over HTTP and at the command line. */
export const createManagement = (needs: ManagementNeeds) => {
  const change = createChange(needs.db, createReadAdministration(needs))
  const liftBan = createLiftBan(needs)
  const actions = createUserActions(needs, liftBan)
  const takenContacts = createTakenContacts(needs)
  const liftedRequirements = createLiftedRequirements(needs)
  const users = createManagedUsers(needs, change, liftedRequirements, takenContacts)

  const act = async (actor: Manager, id: number, action: BatchAction): Promise<void> => {
    const after = await change((inside) => actions[action](inside, actor, id))
    await after?.()
  }

  return {
    ...users,
    ...createInviteMany(needs, (actor, id) => act(actor, id, 'invite')),
    importUsers: createManagedImport(needs, takenContacts),
    /** Throws `not_found`, `own_account`, `permission_denied`, `last_administrator`. A repetition changes nothing. */
    act,
    batch: createBatch(change, actions, needs.oneTimeCodes),
    roles: createRoles(needs, change, liftedRequirements),
    tenants: createTenants(needs, change, liftedRequirements),
    sessions: createManagedSessions(needs),
    factors: createManagedFactors(needs, change),
    identities: createManagedIdentities(needs, change),
    methods: createManagedMethods(needs, change),
    bans: createBans(needs, change, liftBan),
    setPassword: createSetPassword(needs, change),
    setRoles: createSetRoles(needs, change, liftedRequirements, (actor, id) => users.get(actor, id)),

    /** Disables and enables login methods of a tenant. Throws `invalid_request` and `last_administrator`. */
    changeMethods: (actor: Actor<SessionOwner>, tenantId: number, methods: MethodsChange): Promise<TenantMethod[]> =>
      needs.login.ofTenant.change(actor, tenantId, methods, change),
  }
}

export type Management = ReturnType<typeof createManagement>
