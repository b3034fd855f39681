import { Type } from '@sinclair/typebox'
import { defaultTenantId } from './login.js'
import { oneWord } from './ref.js'

const closed = { additionalProperties: false }

export const Captcha = Type.Object(
  {
    mode: oneWord(['always', 'afterFailures', 'never'], {
      default: 'afterFailures',
      description: 'When a sign-in by password needs a captcha',
    }),
    type: oneWord(['graphical', 'pow'], {
      default: 'graphical',
      description: '`graphical` is a picture of letters, `pow` a proof of work (altcha) without a picture',
    }),
    powCost: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 5000,
      description: 'PBKDF2 iterations of one attempt; a proof of work takes a client about 256 attempts',
    }),
    nameFailures: Type.Integer({
      minimum: 1,
      default: 3,
      description: 'Failed sign-ins with one user name after which this name needs a captcha',
    }),
    addressFailures: Type.Integer({
      minimum: 1,
      default: 30,
      description: 'Failed sign-ins from one IP address after which this address needs a captcha',
    }),
    ttl: Type.Integer({ minimum: 30, maximum: 600, default: 300, description: 'Seconds a captcha is valid' }),
  },
  { ...closed, default: {}, description: 'When a captcha is needed, and which kind.' },
)

/** The least and the most that a new password hash may cost. */
export const hashFloor = { memoryKiB: 19_456, passes: 2 } as const
const hashCeiling = { memoryKiB: 1_048_576, passes: 100 } as const

export const Passwords = Type.Object(
  {
    minLength: Type.Integer({
      minimum: 8,
      maximum: 64,
      default: 8,
      description: 'Minimum length of a new password in characters (code points)',
    }),
    memoryKiB: Type.Integer({
      minimum: hashFloor.memoryKiB,
      maximum: hashCeiling.memoryKiB,
      default: hashFloor.memoryKiB,
      description: 'Memory of one argon2id hash, KiB',
    }),
    passes: Type.Integer({
      minimum: hashFloor.passes,
      maximum: hashCeiling.passes,
      default: hashFloor.passes,
      description: 'Iterations of argon2id',
    }),
    initialDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 30,
      description: 'Days for which a password set by somebody else can be used; the user must change it in this time',
    }),
    queueLength: Type.Integer({
      minimum: 1,
      default: 200,
      description:
        'Maximum number of sign-ins that wait for a password hash; known devices, unknown devices after a captcha, and unknown devices without one have this many places each',
    }),
  },
  { ...closed, default: {}, description: 'Rules for new passwords, and the cost of their hashes.' },
)

export const Registration = Type.Object(
  {
    mode: oneWord(['closed', 'open'], {
      default: 'closed',
      description: '`open` lets everybody add an account who proves a phone number or an e-mail address',
    }),
    tenants: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      default: [defaultTenantId],
      description: 'Ids of the tenants in which `open` lets everybody add an account',
    }),
    emailDomains: Type.Array(Type.String({ pattern: '^[^\\s@.]+(\\.[^\\s@.]+)+$' }), {
      default: [],
      description:
        'Domains whose e-mail addresses may register, such as `example.com`; empty means all, and phone numbers too',
    }),
  },
  { ...closed, default: {}, description: 'Registration by `POST /auth/register`.' },
)
