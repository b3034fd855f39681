import type { Role } from './rights.js'

export type RoleChanges = Partial<Pick<Role, 'name' | 'permissions' | 'secondFactorRequired'>>

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && new Set([...some, ...others]).size === some.length

/** What differs from the role. Only that is sent, so that what somebody else changes meanwhile stays. */
export const changesOf = (
  role: Role,
  { name, permissions, secondFactorRequired }: Required<RoleChanges>,
): RoleChanges => ({
  ...(name !== role.name && { name }),
  ...(!areSame(permissions, role.permissions) && { permissions }),
  ...(secondFactorRequired !== role.secondFactorRequired && { secondFactorRequired }),
})

/** The way back: the same fields as they were. */
export const undoing = (role: Role, changes: RoleChanges): RoleChanges => ({
  ...(changes.name !== undefined && { name: role.name }),
  ...(changes.permissions && { permissions: role.permissions }),
  ...(changes.secondFactorRequired !== undefined && { secondFactorRequired: role.secondFactorRequired }),
})
