import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { userTypes } from '../../../schemas/user.js'
import type { Actor } from '../../../lib/actor.js'
import { coversAll, type OwnPermission } from '../../../lib/permissions.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { seesTenant, visibleTenant as visibleTenantOf } from '../../../lib/visible-tenant.js'

/** Lets somebody set passwords of others. */
const resetPermission: OwnPermission = 'system:user:reset'

/** The account that is to be changed, and what it may do. */
export interface Target {
  id: number
  tenantId: number
  userType: number
  permissions: string[]
}

/** The role that is to be changed. */
export interface TargetRole {
  id: number
  tenantId: number
  permissions: string[]
  /** The smallest user type among its administrators; undefined when no administrator has it. */
  highestType: number | undefined
}

export type Manager = Actor<SessionOwner>

/**
 * Who may do what to whom. The permission of the route is checked before; these rules come on top of it.
 *
 * | caller               | sees       | changes accounts that                     | gives roles and permissions |
 * | -------------------- | ---------- | ----------------------------------------- | --------------------------- |
 * | command              | all        | exist                                     | any                         |
 * | system administrator | all        | are not its own                           | any                         |
 * | tenant administrator | its tenant | are no system administrators, not its own | any, in its tenant          |
 * | user                 | its tenant | are users who may do no more than it      | those that it has           |
 *
 * Nobody changes a role of somebody who ranks higher. A user changes only roles that it does not have itself and that
 * grant no more than it has. Only system administrators and commands change tenants.
 * What a caller does not see does not exist for it (`not_found`).
 */
export const visibleTenant = ({ caller }: Manager): number | undefined => visibleTenantOf(caller)

export const isVisible = ({ caller }: Manager, tenantId: number | null): boolean => seesTenant(caller, tenantId)

/** Whether the permissions of the caller include all of these. */
const hasAll = ({ grants }: SessionOwner, permissions: string[]): boolean => coversAll(grants.permissions, permissions)

/** A smaller number is a higher rank. Service accounts rank as users do: by what they may do. */
const rankOf = (userType: number): number => Math.min(userType, userTypes.user)

/** Whoever is no administrator, and an API token that has a part of the permissions of one. */
const isBoundByGrants = (caller: SessionOwner | undefined): caller is SessionOwner =>
  caller !== undefined && (rankOf(caller.user.userType) === userTypes.user || Array.isArray(caller.token?.permissions))

/** Throws `not_found`, `own_account` or `permission_denied` when the actor may not change this account. */
export const checkManages = (actor: Manager, target: Target): void => {
  const { caller } = actor
  if (!isVisible(actor, target.tenantId)) throw problem('not_found')
  if (caller === undefined) return
  if (target.id === caller.user.id) throw problem('own_account')
  // Otherwise a new password or contact would open a more powerful account.
  if (rankOf(target.userType) < rankOf(caller.user.userType)) throw problem('permission_denied')
  if (isBoundByGrants(caller) && !hasAll(caller, target.permissions)) throw problem('permission_denied')
}

/** Throws `invalid_request` for `field` when the actor may not give these permissions to others. */
export const checkGives = ({ caller }: Manager, field: string, permissions: string[]): void => {
  if (isBoundByGrants(caller) && !hasAll(caller, permissions)) throw invalidField(field, 'not_allowed')
}

/**
 * Throws `not_found` or `permission_denied` when the actor may not change this role. A change may take permissions from
 * everybody who has the role, and a user must not extend what it may do itself.
 */
export const checkChangesRole = (actor: Manager, role: TargetRole): void => {
  const { caller } = actor
  if (!isVisible(actor, role.tenantId)) throw problem('not_found')
  if (caller === undefined) return
  if (role.highestType !== undefined && role.highestType < rankOf(caller.user.userType))
    throw problem('permission_denied')
  if (!isBoundByGrants(caller)) return
  if (caller.grants.roleIds.includes(role.id) || !hasAll(caller, role.permissions)) throw problem('permission_denied')
}

/** Throws `permission_denied` when the actor may not add or change tenants, or exempt accounts from required second factors. */
export const checkIsSystemAdmin = ({ caller }: Manager): void => {
  if (caller && caller.user.userType !== userTypes.systemAdmin) throw problem('permission_denied')
}

/** Throws `invalid_request` when the actor may not make an account of this type: service accounts are made by administrators. */
export const checkGivesType = ({ caller }: Manager, userType: number | undefined): void => {
  if (!caller || userType === undefined) return
  const needed = userType === userTypes.service ? userTypes.tenantAdmin : userType
  if (needed < rankOf(caller.user.userType)) throw invalidField('userType', 'not_allowed')
}

/** Throws `invalid_request` when the actor may not set a password that its user need not change: that takes a reset. */
export const checkKeepsPassword = ({ caller }: Manager, forcePasswordChange: boolean | undefined): void => {
  if (caller && forcePasswordChange === false && !hasAll(caller, [resetPermission]))
    throw invalidField('forcePasswordChange', 'not_allowed')
}

/** The permissions that let somebody manage users: the holder of one of them is an administrator. */
export const administratorPermissions = [
  'system:user:edit',
  'system:user:*',
  'system:*:edit',
  'system:*:*',
  '*:user:edit',
  '*:user:*',
  '*:*:edit',
  '*:*:*',
]

/** Who invites, as the invited person is told. */
export const inviterOf = ({ caller, acceptLanguage }: Manager) => ({ name: caller?.user.realName, acceptLanguage })
