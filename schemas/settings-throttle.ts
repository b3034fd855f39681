import { Type } from '@sinclair/typebox'
import { seconds } from './seconds.js'

const closed = { additionalProperties: false }

export const Lockout = Type.Object(
  {
    nameFailures: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 5,
      description: 'Wrong passwords for one name from one IP address that cause a lockout',
    }),
    nameFailuresAnywhere: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description:
        'Wrong passwords for an account from all unknown devices and IP addresses together that cause a lockout, a third of them for each of its names; known ones may use the rest of 100, the maximum of NIST SP 800-63B. The same number of wrong tokens from one IP address also causes a lockout',
    }),
    addressFailures: Type.Integer({
      minimum: 1,
      default: 200,
      description: 'Wrong passwords from one IP address, for all user names together, that cause a lockout',
    }),
    window: seconds('after which a failure is no longer counted', 900),
    firstPause: seconds('of the first lockout; each further lockout lasts twice as long', 60),
    longestPause: seconds('of the longest lockout', 3600),
  },
  {
    ...closed,
    default: {},
    description: 'Lockouts after failed sign-ins; SECURITY.md explains how failures are counted.',
  },
)

const perMinute = (count: number, description: string) =>
  Type.Integer({ minimum: 1, default: count, description: `${description} per minute and IP address` })

export const RateLimits = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description:
        '`false` only for benchmarks: it switches off these limits and the counting of failures per IP address',
    }),
    signIn: perMinute(60, 'Sign-ins and password changes'),
    captcha: perMinute(120, 'Captchas'),
    refresh: perMinute(300, 'Refreshes, sign-outs, and requests of applications for a sign-in'),
    list: Type.Integer({
      minimum: 1,
      default: 120,
      description: 'New searches and sort orders of long lists per minute and user',
    }),
  },
  { ...closed, default: {}, description: 'How many requests are answered; requests above a limit get the status 429.' },
)
