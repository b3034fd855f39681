import { covers, isPermission, type Permission } from '../../../client/index.js'
import { nearestName } from '../../../lib/edit-distance.js'
import { brought } from '../guests.js'
import { words } from '../words.js'
import { ownGroups } from './own-permissions.js'

export interface Group {
  resource: string
  title: string
  permissions: { name: Permission; text: string }[]
}

/** The permissions that the service itself asks for, in words. A function, because the words come later than the module. */
export const groups = (): Group[] => [
  ...ownGroups.map(({ resource, permissions }) => ({
    resource,
    title: words.roles.resources[resource],
    permissions: permissions.map((name) => ({ name, text: words.roles.permissions[name] })),
  })),
  ...brought.flatMap(({ permissions: own }) =>
    own
      ? {
          resource: own.resource,
          title: own.resource,
          permissions: Object.entries(own.words).map(([name, text]) => ({ name: name as Permission, text })),
        }
      : [],
  ),
]

/** What is done on the page of a user. Users are added, and deleted, in the list as well. */
const onPageOfUser = /^system:user:(edit|reset|contact)$/

/**
 * What a permission is of no use without on the console, though no request asks for it: the `list` of its resource, which leads to
 * everything else, the page of a user for what is done there, and what these need themselves.
 */
const neededBy = (permission: Permission): Permission[] => {
  const known = groups().flatMap(({ permissions }) => permissions.map(({ name }) => name))
  const list = permission.replace(/[^:]*$/, 'list') as Permission
  const direct: Permission[] = [
    ...(known.includes(list) && list !== permission ? [list] : []),
    ...(onPageOfUser.test(permission) ? (['system:user:view'] as const) : []),
    ...brought.flatMap(({ permissions: own }) => own?.needs?.[permission] ?? []),
  ]
  return [...new Set(direct.flatMap((needed) => [...neededBy(needed), needed]))]
}

/** What a permission needs on the console and the granted ones do not cover. */
export const lackingFor = (permission: Permission, granted: readonly string[]): Permission[] =>
  neededBy(permission).filter((needed) => !granted.some(covers(needed)))

/** What the checkboxes show, and what is left for the field below them. */
export const splitPermissions = (all: readonly string[]) => {
  const known = groups().flatMap(({ permissions }) => permissions.map(({ name }): string => name))
  return {
    ticked: all.filter((permission) => known.includes(permission)),
    further: all.filter((permission) => !known.includes(permission)),
  }
}

/** A name outside of `system` is one of an application, unless at most so many characters make it one of the service. */
const maxSlip = 2

/**
 * The permission of the service that was probably meant by one that opens nothing of it; undefined if it opens something, or is one of
 * an application.
 */
export const nearestKnown = (permission: string): string | undefined => {
  const known = groups().flatMap(({ permissions }) => permissions.map(({ name }) => name))
  if (!isPermission(permission) || known.some((name) => covers(name)(permission))) return undefined
  const allowed = permission.startsWith('system:') ? Infinity : maxSlip
  return nearestName(permission, known, () => allowed)
}

/** The permissions in a text with one on each line. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
