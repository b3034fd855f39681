import { Type, type Static } from '@sinclair/typebox'
import { pageOf, pagingParameters } from './paging.js'
import { filterText, int64, nameText, ref } from './ref.js'

const name = () => nameText('Name, unique and not of digits only', { examples: ['Acme'] })
const enabled = () =>
  Type.Boolean({ description: 'Whether its users may sign in; disabling ends their sessions', examples: [true] })

const secondFactorRequired = () =>
  Type.Boolean({
    description:
      'Whether its users need a second factor: from their next sign-in they have `secondFactor.graceDays` days to set one up',
    examples: [false],
  })

export const TenantRecord = Type.Object(
  {
    id: int64({ examples: [1] }),
    name: Type.String({ examples: ['Acme'] }),
    enabled: enabled(),
    secondFactorRequired: secondFactorRequired(),
    createTime: Type.String({ format: 'date-time', examples: ['2026-02-01T08:00:00.000Z'] }),
  },
  { $id: 'TenantRecord', description: 'A tenant' },
)
export type TenantRecord = Static<typeof TenantRecord>

export const TenantPage = pageOf(ref(TenantRecord), 'TenantPage')
export type TenantPage = Static<typeof TenantPage>

export const tenantColumns = ['id', 'name', 'createTime'] as const

export const TenantQuery = Type.Object({
  ...pagingParameters,
  name: filterText('Contained in the name, case-insensitive'),
})
export type TenantQuery = Static<typeof TenantQuery>

export const TenantParameters = Type.Object({
  id: int64({ minimum: 1, description: 'Id of the tenant', examples: [2] }),
})

export const NewTenantRequest = Type.Object(
  { name: name() },
  { $id: 'NewTenantRequest', description: 'A tenant to add' },
)
export type NewTenantRequest = Static<typeof NewTenantRequest>

export const TenantChangeRequest = Type.Object(
  {
    name: Type.Optional(name()),
    enabled: Type.Optional(enabled()),
    secondFactorRequired: Type.Optional(secondFactorRequired()),
  },
  { $id: 'TenantChangeRequest', description: 'Absent fields stay as they are' },
)
export type TenantChangeRequest = Static<typeof TenantChangeRequest>

export const TenantMethodList = Type.Object(
  {
    methods: Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 64, description: 'The `authType` of the method', examples: ['password'] }),
        enabled: Type.Boolean({ description: 'Whether the users of the tenant may sign in by it', examples: [true] }),
      }),
      { maxItems: 100, description: 'Sign-in methods' },
    ),
  },
  { $id: 'TenantMethodList' },
)
export type TenantMethodList = Static<typeof TenantMethodList>
