import type { Permission } from '../../../client/index.js'
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

/** What the checkboxes show, and what is left for the field below them. */
export const splitPermissions = (all: readonly string[]) => {
  const known = groups().flatMap(({ permissions }) => permissions.map(({ name }): string => name))
  return {
    ticked: all.filter((permission) => known.includes(permission)),
    further: all.filter((permission) => !known.includes(permission)),
  }
}

/** The permissions in a text with one on each line. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
