import { Type, type Static } from '@sinclair/typebox'
import { oneWord } from './ref.js'

const closed = { additionalProperties: false }

export const SecondFactor = Type.Object(
  {
    policy: oneWord(['off', 'optional', 'required'], {
      default: 'optional',
      description:
        'Whether accounts have a second factor: `optional`, where tenants and roles may require one; `required` for all; `off` offers no new ones, requires none, and still asks for those that accounts have',
    }),
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
    setupCode: Type.Boolean({
      default: true,
      description:
        'Whether somebody who has to set up a first factor to sign in proves the verified contact of the account by a code as well, where mail or SMS is configured',
    }),
    administration: oneWord(['aal1', 'aal2'], {
      default: 'aal1',
      description: '`aal2` requires a second factor in the session for everything under `/system`',
    }),
  },
  { ...closed, default: {}, description: 'Authenticator apps, passkeys and recovery codes: second-factor.md.' },
)
export type SecondFactor = Static<typeof SecondFactor>
