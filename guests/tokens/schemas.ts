import { Type, type Static } from '@sinclair/typebox'
import { enumerated } from '../../schemas/enumerations.js'
import { int64, nameText, nullable, ref, time } from '../../schemas/ref.js'
import { pageOf, pagingParameters } from '../../schemas/paging.js'
import { accountPassword } from '../../schemas/factors.js'

const id = Type.String({ maxLength: 100, description: 'Id of the token', examples: ['2cJ1n0m3Q4y5r6t7u8v9wA'] })
const userId = int64({ minimum: 1, description: 'Id of the user', examples: [2] })

export const TokenParameters = Type.Object({ id })
export const OwnerParameters = Type.Object({ id: userId })
export const OwnedTokenParameters = Type.Object({ id: userId, tokenId: id })

const ApiToken = Type.Object(
  {
    id,
    name: Type.String({ examples: ['nightly export'] }),
    start: Type.String({
      description: 'The first characters of the token, to tell it from others',
      examples: ['rct_7Kq2'],
    }),
    permissions: nullable(Type.Array(Type.String()), {
      description: 'What it may do, as far as its owner may; null: all that the owner may',
      examples: [['system:user:list']],
    }),
    addresses: nullable(Type.Array(Type.String()), {
      description: 'Addresses, and ranges of addresses (CIDR), from which it may be used; null: all',
      examples: [['192.0.2.0/24']],
    }),
    createTime: time('When it was made'),
    expiry: nullable(time('When it expires; null: never'), {}),
    lastUsedTime: nullable(time('Last use, accurate to about a minute; null: never'), { examples: [null] }),
    lastUsedIp: nullable(Type.String({ description: 'Network address of the last use' }), { examples: [null] }),
  },
  { $id: 'ApiToken', description: 'An API token, without its secret' },
)
export type ApiTokenRecord = Static<typeof ApiToken>

const ApiTokenList = Type.Array(ref(ApiToken), { $id: 'ApiTokenList' })

const MadeApiToken = Type.Object(
  {
    ...ApiToken.properties,
    token: Type.String({
      description: 'The token, which is shown this once: `Authorization: Bearer` sends it',
      examples: ['rct_…'],
    }),
  },
  { $id: 'MadeApiToken', description: 'A new API token' },
)
export type MadeApiToken = Static<typeof MadeApiToken>

/** More permissions than there are. */
const maxPermissions = 200
const maxAddresses = 20

const request = {
  name: nameText('What it is for, 1 to 100 characters', { minLength: 1, maxLength: 100, examples: ['nightly export'] }),
  permissions: Type.Optional(
    nullable(
      Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: maxPermissions, uniqueItems: true }),
      {
        description: 'Permissions that the owner has; absent or null means all of the owner, also later ones',
        examples: [['system:user:list']],
      },
    ),
  ),
  days: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
      description:
        'Days until it expires, at most `tokens.maxDays`; absent means 90; null means never, where `tokens.allowEndless` is on',
      examples: [90],
    }),
  ),
  addresses: Type.Optional(
    nullable(Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: maxAddresses, uniqueItems: true }), {
      description: 'Addresses and ranges of addresses (CIDR) from which it may be used; absent or null means all',
      examples: [['192.0.2.0/24']],
    }),
  ),
}

const NewApiToken = Type.Object(
  { ...request, password: accountPassword },
  { $id: 'NewApiToken', examples: [{ name: 'nightly export', permissions: ['system:user:list'], days: 90 }] },
)
export type NewApiToken = Static<typeof NewApiToken>

const ManagedApiToken = Type.Object(
  {
    ...ApiToken.properties,
    userId,
    username: Type.String({ examples: ['nightly'] }),
    realName: Type.String({ examples: ['Nightly export'] }),
    userType: enumerated('UserType', { examples: [3] }),
    tenantId: int64({ examples: [1] }),
    tenantName: Type.String({ examples: ['Default'] }),
  },
  { $id: 'ManagedApiToken', description: 'An API token and its owner' },
)
const ApiTokenPage = pageOf(ref(ManagedApiToken), 'ApiTokenPage')
export type ApiTokenPage = Static<typeof ApiTokenPage>
export type ManagedApiToken = Static<typeof ManagedApiToken>

export const ApiTokenQuery = Type.Object({
  pageNum: pagingParameters.pageNum,
  pageSize: pagingParameters.pageSize,
  keyword: Type.Optional(nameText('Part of the user name or the real name of the owner')),
  userId: Type.Optional(int64({ description: 'Equal to the id of the owner' })),
  tenantId: Type.Optional(int64({ description: 'Equal to the id of the tenant' })),
  expiresBefore: Type.Optional(Type.String({ maxLength: 40, description: 'Expires before this time, ISO 8601' })),
  unusedSince: Type.Optional(Type.String({ maxLength: 40, description: 'Not used since this time, ISO 8601' })),
})
export type ApiTokenQuery = Static<typeof ApiTokenQuery>

export { ApiToken, ApiTokenList, ApiTokenPage, ManagedApiToken, MadeApiToken, NewApiToken }
export const components = { ApiToken, ApiTokenList, MadeApiToken, NewApiToken, ManagedApiToken, ApiTokenPage }
