/** The permissions that the service itself asks for, without those of guests, by what they open; a test compares them with its routes. */
export const ownGroups = [
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
