import { setImmediate } from 'node:timers/promises'
import type { Repositories } from '../../../db/index.js'
import { pageNumbers, toPage } from '../../../db/paging.js'
import type { Role } from '../../../db/repositories/roles.js'
import { defaultTenantId } from '../../../schemas/login.js'
import {
  roleColumns,
  type NewRoleRequest,
  type RoleChangeRequest,
  type RolePage,
  type RoleQuery,
  type RoleRecord,
} from '../../../schemas/role.js'
import type { Needs } from '../../../lib/needs.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { areSame } from '../../../lib/same-items.js'
import { createReadOrder } from '../../../lib/read-order.js'
import { toTime } from '../../../lib/time-text.js'
import type { Change } from './change.js'
import type { LiftedRequirement, LiftedRequirements } from './lifted-requirements.js'
import { checkChangesRole, checkGives, isVisible, visibleTenant, type Manager } from './policy.js'

/** Roles of a tenant. Whoever sees a list of them waits for all of them. */
const maxRoles = 1000

/** A role by its key. Without a tenant it is one of the tenant of the actor. */
export interface RoleName {
  key: string
  tenantId?: number | undefined
}

/** Changes that depend on the permissions that the role has. */
type ChangeOfRole = (permissions: string[]) => RoleChangeRequest

interface ManagedRole {
  role: Role
  permissions: string[]
}

const readOrder = createReadOrder(roleColumns, [{ column: 'id', direction: 'asc' }])

const toRecord = ({ role, permissions }: ManagedRole, tenantName = ''): RoleRecord => ({
  ...role,
  tenantName,
  permissions,
  createTime: toTime(role.createTime),
})
// By its key, which a repeated deletion names.
const targetOf = ({ tenantId, key, name }: Role) => ({ type: 'role' as const, id: key, name, tenantId })
const valuesOf = ({ role, permissions }: ManagedRole) => ({
  name: role.name,
  permissions,
  secondFactorRequired: role.secondFactorRequired,
})

const isSame = ({ role, permissions }: ManagedRole, wanted: RoleChangeRequest) =>
  (wanted.name ?? role.name) === role.name &&
  areSame(wanted.permissions ?? permissions, permissions) &&
  (wanted.secondFactorRequired ?? role.secondFactorRequired) === role.secondFactorRequired

/** With the name of its tenant. */
const describe = async ({ tenants }: Pick<Repositories, 'tenants'>, managed: ManagedRole): Promise<RoleRecord> => {
  const { tenantId } = managed.role
  return toRecord(managed, (await tenants.namesOf([tenantId])).get(tenantId))
}

const readRole = async (
  { roles }: Pick<Repositories, 'roles'>,
  tenantId: number,
  key: string,
): Promise<ManagedRole | undefined> => {
  const role = await roles.find(tenantId, key)
  return role && { role, permissions: (await roles.permissionsOf([role.id])).sort() }
}

/** Lists, adds, changes and deletes roles for administrators. All changes are recorded in the audit trail. */
export const createRoles = (
  { accounts, audit, clock, db, lists }: Needs<'accounts' | 'audit' | 'clock' | 'db' | 'lists'>,
  change: Change,
  liftedRequirements: LiftedRequirements,
) => {
  const lift = async (actor: Manager, { key, tenantId }: Role): Promise<LiftedRequirement> => {
    await liftedRequirements.check(actor)
    return { kind: 'role', name: key, tenantId }
  }

  /** The tenant of a role, which the actor may not see; undefined if it does not exist. */
  const tenantOf = async (
    { tenants }: Pick<Repositories, 'tenants'>,
    { caller }: Manager,
    tenantId: number | undefined,
  ): Promise<number | undefined> => {
    const id = tenantId ?? caller?.tenant.id ?? defaultTenantId
    return (await tenants.find(id))?.id
  }

  const readVisible = async (inside: Repositories, actor: Manager, { key, tenantId }: RoleName) => {
    const tenant = await tenantOf(inside, actor, tenantId)
    const managed = tenant === undefined || !isVisible(actor, tenant) ? undefined : await readRole(inside, tenant, key)
    if (!managed) throw problem('not_found')
    return managed
  }

  const readToChange = async (inside: Repositories, actor: Manager, wanted: RoleName) => {
    const managed = await readVisible(inside, actor, wanted)
    const { role, permissions } = managed
    checkChangesRole(actor, { ...role, permissions, highestType: await inside.roles.highestType(role.id) })
    return managed
  }

  const wasDeleted = async (inside: Repositories, actor: Manager, { key, tenantId }: RoleName): Promise<boolean> => {
    const tenant = await tenantOf(inside, actor, tenantId)
    if (tenant === undefined || !isVisible(actor, tenant) || (await inside.roles.find(tenant, key))) return false
    return inside.auditTrail.has({ action: 'role.delete', targetType: 'role', targetId: key, tenantId: tenant })
  }

  return {
    /** Throws `invalid_request` for what is not a column or a direction, and `too_many_requests`. */
    async page(actor: Manager, query: RoleQuery, closed?: () => AbortSignal): Promise<RolePage> {
      const order = readOrder(query)
      const wanted = toPage(query)
      // Another tenant than the own one has no rows that the caller may see.
      if (query.tenantId !== undefined && !isVisible(actor, query.tenantId))
        return { records: [], ...pageNumbers(0, wanted) }
      const tenantId = visibleTenant(actor) ?? query.tenantId
      const filter = { tenantId, key: query.roleKey, name: query.roleName }
      const { caller } = actor
      const { rows, total } = await lists.read({ caller, closed }, { list: 'roles', filter, order }, (steps) =>
        db.roles.page(filter, wanted, order, steps),
      )
      const permissions = await db.roles.permissionsByRole(rows.map(({ id }) => id))
      const tenants = await db.tenants.namesOf([...new Set(rows.map((role) => role.tenantId))])
      const records = rows.map((role) =>
        toRecord({ role, permissions: permissions.get(role.id) ?? [] }, tenants.get(role.tenantId)),
      )
      return { records, ...pageNumbers(total, wanted) }
    },

    /** Throws `not_found`. */
    async get(actor: Manager, wanted: RoleName): Promise<RoleRecord> {
      return describe(db, await readVisible(db, actor, wanted))
    },

    /** Throws `role_limit_reached` and `invalid_request`, for a key that is taken and for permissions that the actor may not give, too. */
    async add(actor: Manager, wanted: NewRoleRequest): Promise<RoleRecord> {
      const { key, name = key, permissions = [] } = wanted
      accounts.checkRole({ key, name, permissions })
      checkGives(actor, 'permissions', permissions)
      return change(async (inside) => {
        const tenantId = await tenantOf(inside, actor, wanted.tenantId)
        if (tenantId === undefined || !isVisible(actor, tenantId)) throw invalidField('tenantId', 'unknown_tenant')
        if (await inside.roles.find(tenantId, key)) throw invalidField('key', 'taken')
        // No other such transaction runs meanwhile.
        if (await inside.roles.hasMany(tenantId, maxRoles)) throw problem('role_limit_reached')
        const role = await inside.roles.add(tenantId, key, name, clock.now())
        await inside.roles.replacePermissions(role.id, permissions)
        const added = { role, permissions: [...permissions].sort() }
        const after = { key, name: role.name, permissions: added.permissions }
        await audit.record(inside, actor, { action: 'role.add', target: targetOf(role), after })
        return describe(inside, added)
      })
    },

    /**
     * Changes the given fields, with immediate effect. Throws `not_found`, `permission_denied`, `last_administrator`, `invalid_request`, and
     * `step_up_required` when a second factor is no longer required.
     */
    async edit(actor: Manager, named: RoleName, changes: RoleChangeRequest | ChangeOfRole): Promise<RoleRecord> {
      let lifted: LiftedRequirement | undefined
      const record = await change(async (inside) => {
        const before = await readToChange(inside, actor, named)
        const wanted = typeof changes === 'function' ? changes(before.permissions) : changes
        const { name, permissions, secondFactorRequired } = wanted
        accounts.checkRole({ name, permissions })
        checkGives(actor, 'permissions', permissions ?? [])
        const { id } = before.role
        if (isSame(before, wanted)) return describe(inside, before)
        if (before.role.secondFactorRequired && secondFactorRequired === false) lifted = await lift(actor, before.role)
        if (name !== undefined) await inside.roles.rename(id, name)
        if (permissions !== undefined) await inside.roles.replacePermissions(id, permissions)
        if (secondFactorRequired !== undefined) await inside.roles.setSecondFactorRequired(id, secondFactorRequired)
        const after = await readRole(inside, before.role.tenantId, before.role.key)
        if (!after) throw new Error('A role that was just written cannot be read')
        const values = { before: valuesOf(before), after: valuesOf(after) }
        await audit.record(inside, actor, { action: 'role.edit', target: targetOf(after.role), ...values })
        return describe(inside, after)
      })
      await liftedRequirements.tell(actor, lifted)
      return record
    },

    /**
     * Deletes a role, with immediate effect. Throws `not_found`, `permission_denied`, `last_administrator`, and `step_up_required` for one
     * that requires a second factor. A repetition changes nothing.
     */
    async delete(actor: Manager, wanted: RoleName): Promise<void> {
      let lifted: LiftedRequirement | undefined
      await change(async (inside) => {
        if (await wasDeleted(inside, actor, wanted)) return
        const managed = await readToChange(inside, actor, wanted)
        const { role } = managed
        if (role.secondFactorRequired) lifted = await lift(actor, role)
        // In small steps, between which other requests are answered.
        while (await inside.roles.unassignSome(role.id)) await setImmediate()
        await inside.roles.remove(role.id)
        await audit.record(inside, actor, { action: 'role.delete', target: targetOf(role), before: valuesOf(managed) })
      })
      await liftedRequirements.tell(actor, lifted)
    },
  }
}
