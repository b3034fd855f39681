/** The permissions that the service itself asks for, by what they open; a test compares them with its routes. */
export const groups = [
  {
    resource: 'user',
    permissions: [
      'system:user:list',
      'system:user:view',
      'system:user:add',
      'system:user:edit',
      'system:user:delete',
      'system:user:reset',
      'system:user:contact',
    ],
  },
  {
    resource: 'role',
    permissions: ['system:role:list', 'system:role:add', 'system:role:edit', 'system:role:delete'],
  },
  { resource: 'tenant', permissions: ['system:tenant:list', 'system:tenant:add', 'system:tenant:edit'] },
  {
    resource: 'activity',
    permissions: ['system:session:list', 'system:session:delete', 'system:loginlog:list', 'system:audit:list'],
  },
] as const

export type KnownPermission = (typeof groups)[number]['permissions'][number]

const known = new Set<string>(groups.flatMap(({ permissions }) => permissions))
const isKnown = (permission: string): permission is KnownPermission => known.has(permission)

/** What the checkboxes show, and what is left for the field below them. */
export const splitPermissions = (all: readonly string[]) => ({
  ticked: all.filter(isKnown),
  further: all.filter((permission) => !isKnown(permission)),
})

/** The permissions in a text with one on each line. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
