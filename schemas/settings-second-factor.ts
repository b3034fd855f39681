import { Type, type Static } from '@sinclair/typebox'

const closed = { additionalProperties: false }

/** `off` asks for the factors that accounts have, and offers no new ones. */
export const factorPolicies = ['off', 'optional', 'required'] as const
export type FactorPolicy = (typeof factorPolicies)[number]

export const SecondFactor = Type.Object(
  {
    policy: Type.Unsafe<FactorPolicy>(
      Type.String({
        enum: [...factorPolicies],
        default: 'optional',
        description:
          'Whether accounts have a second factor: `optional`, where tenants and roles may require one; `required` for all; `off` offers no new ones, requires none, and still asks for those that accounts have',
      }),
    ),
    graceDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 7,
      description:
        'Days from the first sign-in at which a required factor is missing until the sign-in asks to set one up',
    }),
    trustDays: Type.Integer({
      minimum: 0,
      maximum: 90,
      default: 30,
      description: 'Days for which a browser may skip the second step after `trustDevice`; 0 means never',
    }),
    administration: Type.Unsafe<'aal1' | 'aal2'>(
      Type.String({
        enum: ['aal1', 'aal2'],
        default: 'aal1',
        description: '`aal2` requires a second factor in the session for everything under `/system`',
      }),
    ),
  },
  { ...closed, default: {}, description: 'Authenticator apps, passkeys and recovery codes: second-factor.md.' },
)
export type SecondFactor = Static<typeof SecondFactor>
