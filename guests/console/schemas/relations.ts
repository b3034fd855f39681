import { Type, type Static } from '@sinclair/typebox'
import { int32, int64, ref } from '../../../schemas/ref.js'

const ids = (description: string) =>
  Type.Optional(Type.Array(int64(), { maxItems: 1000, description, examples: [[1]] }))
const memberType = int32({ description: '1: administers the tenant; 2: does not', examples: [2] })

export const CompatUserTenant = Type.Object(
  {
    tenantId: int64({ examples: [1] }),
    tenantName: Type.String({ examples: ['Default'] }),
    isDefault: int32({ description: 'Always 1', examples: [1] }),
    status: int32({ description: 'Always 1', examples: [1] }),
    memberType,
  },
  { $id: 'CompatUserTenant', description: 'The tenant of a user' },
)
export type CompatUserTenant = Static<typeof CompatUserTenant>
export const CompatUserTenants = Type.Array(ref(CompatUserTenant), { $id: 'CompatUserTenants' })

export const CompatUserUnitsChange = Type.Object(
  {
    orgIds: ids('The one unit of the user'),
    mainOrgId: Type.Optional(int64({ description: 'The same unit', examples: [1] })),
  },
  { $id: 'CompatUserUnitsChange' },
)
export type CompatUserUnitsChange = Static<typeof CompatUserUnitsChange>

export const CompatUserTenantsChange = Type.Object(
  {
    tenantIds: ids('The one tenant of the user'),
    defaultTenantId: Type.Optional(int64({ description: 'The same tenant', examples: [1] })),
    memberType: Type.Optional(memberType),
  },
  { $id: 'CompatUserTenantsChange' },
)
export type CompatUserTenantsChange = Static<typeof CompatUserTenantsChange>

export const CompatTenantOfUsers = Type.Object(
  {
    userIds: Type.Array(int64({ minimum: 1 }), {
      minItems: 1,
      maxItems: 1000,
      description: 'Ids of users',
      examples: [[2]],
    }),
    tenantId: int64({ description: 'The tenant of these users', examples: [1] }),
    memberType: Type.Optional(memberType),
  },
  { $id: 'CompatTenantOfUsers' },
)
export type CompatTenantOfUsers = Static<typeof CompatTenantOfUsers>
