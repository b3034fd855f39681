import { Type, type Static } from '@sinclair/typebox'
import { nullable } from '../../schemas/ref.js'

const closed = { additionalProperties: false }
const day = 24 * 3600

const Resource = Type.Object(
  {
    id: Type.String({
      maxLength: 500,
      description: 'Its address, which applications send as `resource` and tokens have as `aud`',
    }),
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What people know it by' }),
    scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,100}$' }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'What applications may ask for there',
    }),
    access: Type.Object(
      {
        tenants: Type.Array(Type.Integer({ minimum: 1 }), {
          default: [],
          maxItems: 100,
          uniqueItems: true,
          description: 'Ids of the tenants whose people may use it; empty means all',
        }),
        roles: Type.Array(Type.String({ maxLength: 200 }), {
          default: [],
          maxItems: 100,
          uniqueItems: true,
          description: 'Keys of roles of which a person needs one; empty means none is needed',
        }),
      },
      { ...closed, default: {}, description: 'Who may use it, asked at each sign-in and each refresh' },
    ),
  },
  closed,
)
export type Resource = Static<typeof Resource>

export const Provider = Type.Object(
  {
    enabled: Type.Boolean({
      default: false,
      description: 'Whether applications sign people in here by OpenID Connect. Needs `issuer` as an address',
    }),
    signInPage: nullable(Type.String({ pattern: '^/[^/\\\\]', maxLength: 200 }), {
      default: null,
      description:
        'Path of a sign-in page of yours, which gets `?interaction=`, with a slash in front; null means that of Rollcall',
    }),
    allowPrivateAddresses: Type.Boolean({
      default: false,
      description:
        'Whether applications at private addresses, and by plain http, are told of sign-outs, and their documents are read',
    }),
    accessTtl: Type.Integer({
      default: 3600,
      minimum: 60,
      maximum: day,
      description: 'Life of an access token of an application, in seconds',
    }),
    refreshGrace: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 300,
      description: 'How long a refresh token of a public client is accepted again after its first use, in seconds',
    }),
    offlineTtl: Type.Integer({
      default: 30 * day,
      minimum: 3600,
      maximum: 365 * day,
      description: 'How long a refresh token of kind `offline` lives unused, in seconds',
    }),
    offlineMaxTtl: Type.Integer({
      default: 365 * day,
      minimum: 3600,
      maximum: 3650 * day,
      description: 'Longest life of all refresh tokens that follow from one sign-in, in seconds',
    }),
    resources: Type.Array(Resource, {
      default: [],
      maxItems: 100,
      description: 'Services for which applications get signed tokens (RFC 8707)',
    }),
    clientDocuments: Type.Array(Type.String({ maxLength: 500 }), {
      default: [],
      maxItems: 100,
      description:
        'Addresses of documents that describe applications, which then need no registration; one that ends with a slash means all below it',
    }),
  },
  { ...closed, default: {}, description: 'Single sign-on for applications: single-sign-on.md.' },
)

declare module '../../schemas/settings.js' {
  interface GuestSettings {
    provider: Static<typeof Provider>
  }
}
