import { createReadAdministration, type AdministrationCollaborators } from './administrators.js'
import { createBatch } from './batch.js'
import { createBans, createLiftBan } from './bans.js'
import { createChange } from './change.js'
import { createManagedFactors, type FactorCollaborators } from './factors.js'
import { createSetPassword } from './passwords.js'
import { createManagedImport, type ImportCollaborators } from './imports.js'
import { createInviteMany } from './invite-many.js'
import { createManagedIdentities, type IdentityCollaborators } from './identities.js'
import type { Manager } from './policy.js'
import { createRoles, type RoleCollaborators } from './roles.js'
import { createLiftedRequirements, type LiftedRequirementCollaborators } from './lifted-requirements.js'
import { createManagedSessions } from './sessions.js'
import { createManagedMethods, type MethodCollaborators } from './tenant-methods.js'
import { createTenants, type TenantCollaborators } from './tenants.js'
import { createUserActions, type ActionCollaborators } from './user-actions.js'
import { createSetRoles } from './user-roles.js'
import { createTakenContacts } from './taken-contacts.js'
import { createManagedUsers, type UserCollaborators } from './users.js'
import type { BatchAction } from '../../../schemas/managed-user.js'
import type { Store } from '../../../db/repositories/store.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Actor } from '../../../lib/actor.js'
import type { MethodsChange, TenantMethod } from '../../identity/login/tenant-methods.js'
import type { Passwords } from '../../identity/passwords/index.js'

type Collaborators = Omit<
  UserCollaborators &
    RoleCollaborators &
    TenantCollaborators &
    FactorCollaborators &
    IdentityCollaborators &
    MethodCollaborators &
    ImportCollaborators,
  'change' | 'takenContacts' | 'liftedRequirements'
> &
  ActionCollaborators &
  AdministrationCollaborators &
  LiftedRequirementCollaborators & {
    passwords: Passwords
    store: Store
  }

/** What administrators do with users, roles, tenants and sessions, over HTTP and at the command line. */
export const createManagement = (collaborators: Collaborators) => {
  const { db, tenantMethods } = collaborators
  const change = createChange(db, createReadAdministration(collaborators))
  const liftBan = createLiftBan(collaborators)
  const actions = createUserActions(collaborators, liftBan)
  const takenContacts = createTakenContacts(collaborators)
  const liftedRequirements = createLiftedRequirements(collaborators)
  const users = createManagedUsers({ ...collaborators, change, takenContacts, liftedRequirements })

  const act = async (actor: Manager, id: number, action: BatchAction): Promise<void> => {
    const after = await change((inside) => actions[action](inside, actor, id))
    await after?.()
  }

  return {
    ...users,
    ...createInviteMany({ ...collaborators, invite: (actor, id) => act(actor, id, 'invite') }),
    importUsers: createManagedImport({ ...collaborators, takenContacts }),
    /** Throws `not_found`, `own_account`, `permission_denied`, `last_administrator`. A repetition changes nothing. */
    act,
    batch: createBatch(change, actions, collaborators.invitations),
    roles: createRoles({ ...collaborators, change, liftedRequirements }),
    tenants: createTenants({ ...collaborators, change, liftedRequirements }),
    sessions: createManagedSessions(collaborators),
    factors: createManagedFactors({ ...collaborators, change }),
    identities: createManagedIdentities({ ...collaborators, change }),
    methods: createManagedMethods({ ...collaborators, change }),
    bans: createBans({ ...collaborators, change }, liftBan),
    setPassword: createSetPassword({ ...collaborators, change }),
    setRoles: createSetRoles({
      ...collaborators,
      change,
      liftedRequirements,
      get: (actor, id) => users.get(actor, id),
    }),

    /** Disables and enables login methods of a tenant. Throws `invalid_request` and `last_administrator`. */
    changeMethods: (actor: Actor<SessionOwner>, tenantId: number, methods: MethodsChange): Promise<TenantMethod[]> =>
      tenantMethods.change(actor, tenantId, methods, change),
  }
}

export type Management = ReturnType<typeof createManagement>
