import { Type, type Static } from '@sinclair/typebox'
import { nullableSetting } from './ref.js'
import { Connections } from './settings-connections.js'
import { Mail, OneTimeCodes, Sms } from './settings-delivery.js'
import { Federation } from './settings-federation.js'

/** Ten years: longer is a slip of the keyboard. */
const longest = 315_360_000
const seconds = (description: string, preset?: number) =>
  Type.Integer({
    minimum: 1,
    maximum: longest,
    description: `Seconds ${description}`,
    ...(preset === undefined ? {} : { default: preset }),
  })
const closed = { additionalProperties: false }

/** Lifetimes have no default anywhere (interface 5.4): the configuration must name them for every client kind. */
const Client = Type.Object(
  {
    accessTtl: seconds('an access token is valid'),
    idleTtl: seconds('after which an unused session ends'),
    maxTtl: seconds('after which a session ends, used or not'),
    maxSessions: Type.Integer({
      minimum: 1,
      description: 'Sessions that a user may have at once with this kind of client',
    }),
    onLimit: Type.Unsafe<'replace' | 'reject'>(
      Type.String({
        enum: ['replace', 'reject'],
        description: '`replace` ends the oldest session, `reject` refuses the sign-in',
      }),
    ),
  },
  closed,
)

const Captcha = Type.Object(
  {
    mode: Type.Unsafe<'always' | 'afterFailures' | 'never'>(
      Type.String({
        enum: ['always', 'afterFailures', 'never'],
        default: 'afterFailures',
        description: 'When a sign-in by password needs a captcha',
      }),
    ),
    type: Type.Unsafe<'graphical' | 'pow'>(
      Type.String({
        enum: ['graphical', 'pow'],
        default: 'graphical',
        description: '`graphical` is a picture of letters, `pow` a proof of work (altcha) without a picture',
      }),
    ),
    powCost: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 5000,
      description: 'PBKDF2 iterations of one try; a client needs about 256 tries for a proof of work',
    }),
    nameFailures: Type.Integer({
      minimum: 1,
      default: 3,
      description: 'Failed sign-ins with a user name before it needs a captcha',
    }),
    addressFailures: Type.Integer({
      minimum: 1,
      default: 30,
      description: 'Failed sign-ins from an IP address before it needs a captcha',
    }),
    ttl: Type.Integer({ minimum: 30, maximum: 600, default: 300, description: 'Seconds a captcha is valid' }),
  },
  { ...closed, default: {}, description: 'When a captcha is needed, and which kind.' },
)

const Lockout = Type.Object(
  {
    nameFailures: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 5,
      description: 'Wrong passwords for a user name from one IP address before a pause',
    }),
    nameFailuresAnywhere: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description:
        'Wrong passwords for a user name from all unknown devices and IP addresses before a pause; known ones have the rest of 100, the most that NIST SP 800-63B allows. Also wrong tokens of an IP address before a pause',
    }),
    addressFailures: Type.Integer({
      minimum: 1,
      default: 200,
      description: 'Wrong passwords from one IP address, for any user names, before a pause',
    }),
    window: seconds('after which failures are forgotten', 900),
    firstPause: seconds('of the first pause; each further pause is twice as long', 60),
    longestPause: seconds('of the longest pause', 3600),
  },
  { ...closed, default: {}, description: 'Pauses after failed sign-ins; SECURITY.md says how they are counted.' },
)

const perMinute = (count: number, description: string) =>
  Type.Integer({ minimum: 1, default: count, description: `${description} per minute and IP address` })

const RateLimits = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description: '`false` only for benchmarks: it also stops counting failures per IP address',
    }),
    signIn: perMinute(60, 'Sign-ins and password changes'),
    captcha: perMinute(120, 'Captchas'),
    refresh: perMinute(300, 'Refreshes and sign-outs'),
    list: Type.Integer({
      minimum: 1,
      default: 120,
      description: 'New searches and sort orders of the user list per minute and user',
    }),
  },
  { ...closed, default: {}, description: 'How many requests are answered; further ones get 429.' },
)

/** What a password hash may cost at the most, whether configured here or made elsewhere and taken over. */
export const hashBounds = { memoryKiB: 1_048_576, passes: 100 } as const

const Passwords = Type.Object(
  {
    minLength: Type.Integer({
      minimum: 8,
      maximum: 64,
      default: 8,
      description: 'Characters (code points) that a new password must have at least',
    }),
    memoryKiB: Type.Integer({
      minimum: 19456,
      maximum: hashBounds.memoryKiB,
      default: 19456,
      description: 'Memory of one argon2id hash, KiB',
    }),
    passes: Type.Integer({ minimum: 2, maximum: hashBounds.passes, default: 2, description: 'Iterations of argon2id' }),
    initialDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 30,
      description: 'Days in which a password set by somebody else can be used; the user must change it in that time',
    }),
    queueLength: Type.Integer({
      minimum: 1,
      default: 200,
      description:
        'Sign-ins that may wait for a password hash; known devices, unknown devices after a captcha, and unknown devices without one have so many places each',
    }),
  },
  { ...closed, default: {}, description: 'Rules for new passwords, and the cost of their hashes.' },
)

const LoginLog = Type.Object(
  { keepDays: Type.Integer({ minimum: 1, default: 180, description: 'Days that rows of the login log are kept' }) },
  { ...closed, default: {}, description: 'The list of sign-ins and refused tries that `rollcall log` prints.' },
)

const look = (description: string) => nullableSetting(Type.String(), { default: null, description })

const Branding = Type.Object(
  {
    systemName: look('Name shown on the sign-in page'),
    systemLogo: look('URL of a picture on the sign-in page'),
    browserTitle: look('Title of the browser window'),
    copyrightInfo: look('Line at the foot of the sign-in page'),
  },
  { ...closed, default: {}, description: 'What `GET /auth/loginConfig` tells a sign-in page to show.' },
)

/** The whole configuration: `config.json`, overridden by the environment (see `environment`). */
export const Settings = Type.Object(
  {
    host: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address to listen on' }),
    port: Type.Integer({
      default: 3000,
      minimum: 0,
      maximum: 65535,
      description: 'Port to listen on; 0 picks a free one',
    }),
    databaseUrl: Type.String({
      default: 'sqlite:rollcall.db',
      pattern: '^sqlite:.+$',
      description: '`sqlite:PATH`; a relative path starts in `DATA_DIR`',
    }),
    logLevel: Type.String({
      default: 'info',
      enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      description: 'Least serious level that is logged',
    }),
    trustProxy: Type.Array(Type.String({ format: 'address-range' }), {
      default: [],
      description:
        'IP addresses or CIDR ranges of proxies whose `X-Forwarded-For` is believed; `loopback`, `linklocal` and `uniquelocal` are ranges, too',
    }),
    corsOrigins: Type.Array(Type.String({ format: 'origin' }), {
      default: [],
      description:
        'Origins of front ends on other hosts, such as `https://console.example.com`; those of the same site may send cookies',
    }),
    rateLimits: RateLimits,
    connections: Connections,
    serviceName: Type.String({
      default: 'Rollcall',
      minLength: 1,
      maxLength: 100,
      description: 'Name of your service; passwords may not be made of it',
    }),
    issuer: Type.String({ default: 'rollcall', minLength: 1, description: 'Claim `iss` of access tokens' }),
    audience: Type.String({ default: 'rollcall', minLength: 1, description: 'Claim `aud` of access tokens' }),
    phoneRegion: Type.String({
      default: 'CN',
      format: 'region',
      description: 'Country (ISO 3166) of phone numbers written without a country code',
    }),
    clients: Type.Object(
      { pc: Client, app: Client, h5: Client, wechat: Client },
      { ...closed, description: 'How long sessions and access tokens live, for each kind of client (`userClient`).' },
    ),
    captcha: Captcha,
    lockout: Lockout,
    passwords: Passwords,
    oneTimeCodes: OneTimeCodes,
    mail: Mail,
    sms: Sms,
    federation: Federation,
    loginLog: LoginLog,
    branding: Branding,
  },
  { $id: 'Settings', ...closed },
)
export type Settings = Static<typeof Settings>

/**
 * Settings of earlier versions, by their path in `config.json`, and what holds instead. They are named at the start and
 * ignored: what an earlier first start wrote out must not stop the next version, nor keep an unsafe choice alive.
 */
export const retiredSettings: Record<string, string> = {
  'federation.requireBrowser':
    'browsers are always bound to the sign-in that they began, except with federation.acceptUnboundBrowsers',
}

/**
 * The lifetimes that the first start writes into `config.json`, for the operator to see and change.
 * Not defaults: a configuration without them does not start.
 */
const minutes = 60
const days = 24 * 60 * minutes
export const firstClients: Settings['clients'] = {
  pc: { accessTtl: 30 * minutes, idleTtl: 8 * 60 * minutes, maxTtl: 7 * days, maxSessions: 5, onLimit: 'replace' },
  app: { accessTtl: 60 * minutes, idleTtl: 14 * days, maxTtl: 30 * days, maxSessions: 3, onLimit: 'replace' },
  h5: { accessTtl: 30 * minutes, idleTtl: 1 * days, maxTtl: 7 * days, maxSessions: 3, onLimit: 'replace' },
  wechat: { accessTtl: 60 * minutes, idleTtl: 7 * days, maxTtl: 30 * days, maxSessions: 1, onLimit: 'replace' },
}
