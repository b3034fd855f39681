import { Type, type Static } from '@sinclair/typebox'
import { nullable } from '../../schemas/ref.js'

const closed = { additionalProperties: false }
const day = 24 * 3600

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
      description: 'Whether applications at private addresses, and by plain http, are told of sign-outs',
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
  },
  { ...closed, default: {}, description: 'Single sign-on for applications: single-sign-on.md.' },
)

declare module '../../schemas/settings.js' {
  interface GuestSettings {
    provider: Static<typeof Provider>
  }
}
