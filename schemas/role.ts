import { Type, type Static } from '@sinclair/typebox'
import { pageOf, pagingParameters } from './paging.js'
import { filterText, int64, nameText, ref } from './ref.js'

const key = (description: string) => nameText(description, { examples: ['editor'] })
const name = (description = 'Name for people') => nameText(description, { examples: ['Editor'] })
const permissions = Type.Array(Type.String({ maxLength: 200 }), {
  maxItems: 500,
  uniqueItems: true,
  description: 'All permissions that the role grants, such as `system:user:list`; `*` stands for any segment',
  examples: [['system:user:list']],
})

const secondFactorRequired = () =>
  Type.Boolean({
    description:
      'Whether users with this role need a second factor: from their next sign-in they have `secondFactor.graceDays` days to set one up',
    examples: [false],
  })

export const RoleRecord = Type.Object(
  {
    id: int64({ examples: [1] }),
    tenantId: int64({ examples: [1] }),
    tenantName: Type.String({ examples: ['Default'] }),
    key: Type.String({ description: 'Short name, unique in the tenant', examples: ['editor'] }),
    name: Type.String({ description: 'Name for people', examples: ['Editor'] }),
    permissions,
    secondFactorRequired: secondFactorRequired(),
    createTime: Type.String({ format: 'date-time', examples: ['2026-02-01T08:00:00.000Z'] }),
  },
  { $id: 'RoleRecord', description: 'A role' },
)
export type RoleRecord = Static<typeof RoleRecord>

export const RolePage = pageOf(ref(RoleRecord), 'RolePage')
export type RolePage = Static<typeof RolePage>

export const roleColumns = ['id', 'tenantId', 'key', 'name', 'createTime'] as const

const tenantId = Type.Optional(
  int64({ description: 'Tenant of the role; absent means the tenant of the caller', examples: [1] }),
)

export const RoleQuery = Type.Object({
  ...pagingParameters,
  roleKey: filterText('Contained in the key, case-insensitive'),
  roleName: filterText('Contained in the name, case-insensitive'),
  tenantId: Type.Optional(int64({ description: 'Equal to the tenant of the role' })),
})
export type RoleQuery = Static<typeof RoleQuery>

export const RoleParameters = Type.Object({ key: key('Key of the role') })
export const RoleTenantQuery = Type.Object({ tenantId })

export const NewRoleRequest = Type.Object(
  {
    key: key('Short name, unique in the tenant; it cannot be changed'),
    name: Type.Optional(name('Name for people; absent means the key')),
    permissions: Type.Optional(permissions),
    tenantId,
  },
  { $id: 'NewRoleRequest', description: 'A role to add' },
)
export type NewRoleRequest = Static<typeof NewRoleRequest>

export const RoleChangeRequest = Type.Object(
  {
    name: Type.Optional(name()),
    permissions: Type.Optional(permissions),
    secondFactorRequired: Type.Optional(secondFactorRequired()),
  },
  {
    $id: 'RoleChangeRequest',
    description: 'Absent fields stay as they are',
    examples: [{ permissions: ['system:user:list'] }],
  },
)
export type RoleChangeRequest = Static<typeof RoleChangeRequest>
