import { Type, type Static } from '@sinclair/typebox'
import { dictionaryTypes } from '../dictionaries.js'
import { maxRoles } from '../../../schemas/managed-user.js'
import { pageOf, pagingParameters } from '../../../schemas/paging.js'
import { int32, int64, nullable, ref } from '../../../schemas/ref.js'

/** A tenant is its own one unit: the front end knows tenants that consist of organisational units. */
export const CompatOrgBinding = Type.Object(
  {
    orgId: int64({ description: 'Id of the tenant', examples: [1] }),
    orgName: Type.String({ description: 'Name of the tenant', examples: ['Default'] }),
    isMain: Type.Boolean({ description: 'Always true', examples: [true] }),
    roleNames: Type.Array(Type.String(), { description: 'Names of the roles of the user', examples: [['Editor']] }),
  },
  { $id: 'CompatOrgBinding', description: 'A unit to which a user belongs' },
)
export type CompatOrgBinding = Static<typeof CompatOrgBinding>
export const CompatOrgBindings = Type.Array(ref(CompatOrgBinding), { $id: 'CompatOrgBindings' })

const orgId = int64({ description: 'Id of the unit, which is that of the tenant', examples: [1] })
const tenantId = int64({ description: 'Id of the tenant of the user', examples: [1] })

export const CompatOrgQuery = Type.Object({ orgId: Type.Optional(orgId), tenantId: Type.Optional(tenantId) })
export type CompatOrgQuery = Static<typeof CompatOrgQuery>

export const CompatRoleIds = Type.Array(int64(), {
  $id: 'CompatRoleIds',
  description: 'Ids of the roles of the user',
  examples: [[1]],
})

export const CompatOrgRoles = Type.Object(
  {
    orgId: Type.Optional(orgId),
    tenantId: Type.Optional(tenantId),
    roleIds: Type.Array(int64(), {
      maxItems: maxRoles,
      uniqueItems: true,
      description: 'Ids of all roles of the user',
      examples: [[1]],
    }),
  },
  { $id: 'CompatOrgRoles' },
)
export type CompatOrgRoles = Static<typeof CompatOrgRoles>

export const CompatTenantOption = Type.Object(
  {
    id: int64({ examples: [1] }),
    tenantId: int64({ description: 'The same id', examples: [1] }),
    tenantName: Type.String({ examples: ['Default'] }),
  },
  { $id: 'CompatTenantOption', description: 'A tenant to choose' },
)
export type CompatTenantOption = Static<typeof CompatTenantOption>
export const CompatTenantOptions = Type.Array(ref(CompatTenantOption), { $id: 'CompatTenantOptions' })

export const CompatUnit = Type.Object(
  {
    id: int64({ description: 'Id of the tenant', examples: [1] }),
    parentId: int64({ description: 'Always 0', examples: [0] }),
    orgName: Type.String({ description: 'Name of the tenant', examples: ['Default'] }),
    name: Type.String({ description: 'The same name', examples: ['Default'] }),
    label: Type.String({ description: 'The same name', examples: ['Default'] }),
    tenantId: int64({ examples: [1] }),
    hasChildren: Type.Boolean({ description: 'Always false' }),
    isLeaf: Type.Boolean({ description: 'Always true', examples: [true] }),
    children: Type.Array(Type.Unknown(), { description: 'Always empty' }),
  },
  { $id: 'CompatUnit', description: 'The one unit of a tenant' },
)
export type CompatUnit = Static<typeof CompatUnit>
export const CompatUnits = Type.Array(ref(CompatUnit), { $id: 'CompatUnits' })

export const CompatUnitQuery = Type.Object({
  parentId: Type.Optional(int64({ description: 'Unit whose units are listed; absent and 0 mean the top' })),
  tenantId: Type.Optional(int64({ description: 'Tenant whose units are listed; absent means the own one' })),
})
export type CompatUnitQuery = Static<typeof CompatUnitQuery>

export const CompatDictItem = Type.Object(
  {
    dictLabel: Type.String({ description: 'In the language of the request', examples: ['Normal'] }),
    dictValue: Type.String({ examples: ['1'] }),
    listClass: Type.String({ description: 'Colour of the label', examples: ['success'] }),
    dictSort: int32({ description: 'Position', examples: [1] }),
    remark: nullable(Type.String(), { description: 'What the value means, where the label cannot say it' }),
  },
  { $id: 'CompatDictItem', description: 'A value of a field and its label' },
)
export type CompatDictItem = Static<typeof CompatDictItem>
export const CompatDict = Type.Array(ref(CompatDictItem), { $id: 'CompatDict' })

export const CompatDictQuery = Type.Object({
  dictType: Type.Optional(
    Type.String({ maxLength: 100, description: dictionaryTypes.map((type) => `\`${type}\``).join(', ') }),
  ),
})

/** What is asked for on each page, and is not there. */
export const CompatNothing = Type.Array(Type.Unknown(), { $id: 'CompatNothing', description: 'Always empty' })
export const CompatNoMessages = int32({ $id: 'CompatNoMessages', description: 'Always 0', examples: [0] })
export const CompatNoSettings = Type.Object({}, { $id: 'CompatNoSettings', description: 'Always empty' })
export const CompatNoPage = Type.Object(
  {
    ...pageOf(Type.Unknown(), '').properties,
    total: int32({ description: 'Always 0', examples: [0] }),
    pages: int32({ description: 'Always 0', examples: [0] }),
  },
  { $id: 'CompatNoPage', description: 'A page without rows' },
)
export const CompatNoPageQuery = Type.Pick(Type.Object(pagingParameters), ['pageNum', 'pageSize'])
