import { Type, type Static } from '@sinclair/typebox'

const closed = { additionalProperties: false }

export const Tokens = Type.Object(
  {
    maxDays: Type.Integer({ default: 365, minimum: 1, maximum: 3650, description: 'Longest life of a token, in days' }),
    allowEndless: Type.Boolean({ default: false, description: 'Whether a token may have no end' }),
  },
  { ...closed, default: {}, description: 'What scripts and other services sign in with: api-tokens.md.' },
)

declare module '../../schemas/settings.js' {
  interface GuestSettings {
    tokens: Static<typeof Tokens>
  }
}
