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
    description: `${description}, seconds`,
    ...(preset === undefined ? {} : { default: preset }),
  })
const closed = { additionalProperties: false }

/** Lifetimes have no default anywhere (interface 5.4): the configuration must name them for every client kind. */
const Client = Type.Object(
  {
    accessTtl: seconds('Validity of an access token'),
    idleTtl: seconds('A session unused for so long ends'),
    maxTtl: seconds('A session ends after this time, used or not'),
    maxSessions: Type.Integer({ minimum: 1, description: 'Sessions a user may hold at once on this client kind' }),
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
      Type.String({ enum: ['always', 'afterFailures', 'never'], default: 'afterFailures' }),
    ),
    type: Type.Unsafe<'graphical' | 'pow'>(
      Type.String({
        enum: ['graphical', 'pow'],
        default: 'graphical',
        description: '`graphical` is a picture, `pow` a proof of work (altcha) without one',
      }),
    ),
    powCost: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 5000,
      description: 'Work of a proof: PBKDF2 iterations for each of some 256 tries',
    }),
    nameFailures: Type.Integer({
      minimum: 1,
      default: 3,
      description: 'Failures of a name before a captcha is asked for',
    }),
    addressFailures: Type.Integer({ minimum: 1, default: 30, description: 'The same for a network address' }),
    ttl: Type.Integer({ minimum: 30, maximum: 600, default: 300, description: 'Validity, seconds' }),
  },
  { ...closed, default: {} },
)

const Lockout = Type.Object(
  {
    nameFailures: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 5,
      description: 'Wrong tries of a name from one address before a pause',
    }),
    nameFailuresAnywhere: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'Wrong tries of a name from anywhere before a pause (NIST SP 800-63B allows at most 100)',
    }),
    addressFailures: Type.Integer({
      minimum: 1,
      default: 200,
      description: 'Wrong tries of an address, for any names, before a pause',
    }),
    window: seconds('Failures are forgotten after', 900),
    firstPause: seconds('Length of the first pause; each further one is twice as long', 60),
    longestPause: seconds('Longest pause', 3600),
  },
  { ...closed, default: {} },
)

const perMinute = (count: number, description: string) =>
  Type.Integer({ minimum: 1, default: count, description: `${description}, per minute and address` })

const RateLimits = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: 'Off only for benchmarks; also stops counting per address' }),
    signIn: perMinute(60, 'Sign-ins and password changes'),
    captcha: perMinute(120, 'Captchas'),
    refresh: perMinute(300, 'Refreshes and sign-outs'),
    list: Type.Integer({
      minimum: 1,
      default: 120,
      description: 'Searches and sort orders of the user list that must be made first, per minute and user',
    }),
  },
  { ...closed, default: {} },
)

/** What a password hash may cost at the most, whether configured here or made elsewhere and taken over. */
export const hashBounds = { memoryKiB: 1_048_576, passes: 100 } as const

const Passwords = Type.Object(
  {
    minLength: Type.Integer({ minimum: 8, maximum: 64, default: 8, description: 'Code points' }),
    memoryKiB: Type.Integer({
      minimum: 19456,
      maximum: hashBounds.memoryKiB,
      default: 19456,
      description: 'argon2id memory',
    }),
    passes: Type.Integer({ minimum: 2, maximum: hashBounds.passes, default: 2, description: 'argon2id iterations' }),
    initialDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 30,
      description: 'Days that a password set by somebody else, which must be changed, opens the account',
    }),
    queueLength: Type.Integer({
      minimum: 1,
      default: 200,
      description: 'Sign-ins of each kind that may wait for a hash: of known devices, after a captcha, of strangers',
    }),
  },
  { ...closed, default: {} },
)

const LoginLog = Type.Object(
  { keepDays: Type.Integer({ minimum: 1, default: 180, description: 'Days that tries to sign in are kept' }) },
  { ...closed, default: {} },
)

const look = (description: string) => nullableSetting(Type.String(), { default: null, description })

const Branding = Type.Object(
  {
    systemName: look('Name shown on the sign-in page'),
    systemLogo: look('Address of a picture'),
    browserTitle: look('Title of the browser window'),
    copyrightInfo: look('Line at the foot of the sign-in page'),
  },
  { ...closed, default: {} },
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
      description: '`sqlite:PATH`; a relative path starts in the data directory',
    }),
    logLevel: Type.String({
      default: 'info',
      enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      description: 'Least serious log line to write',
    }),
    trustProxy: Type.Array(Type.String({ format: 'address-range' }), {
      default: [],
      description: 'Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed',
    }),
    corsOrigins: Type.Array(Type.String({ format: 'origin' }), {
      default: [],
      description: 'Origins of front ends on other hosts, exact, such as https://console.example.com',
    }),
    rateLimits: RateLimits,
    connections: Connections,
    serviceName: Type.String({
      default: 'Rollcall',
      minLength: 1,
      maxLength: 100,
      description: 'May not be used as a password',
    }),
    issuer: Type.String({ default: 'rollcall', minLength: 1, description: '`iss` of the access tokens' }),
    audience: Type.String({ default: 'rollcall', minLength: 1, description: '`aud` of the access tokens' }),
    phoneRegion: Type.String({
      default: 'CN',
      format: 'region',
      description: 'Country of phone numbers written without a country code, ISO 3166',
    }),
    clients: Type.Object({ pc: Client, app: Client, h5: Client, wechat: Client }, closed),
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
    'browsers are bound to the sign-in that they began, but for federation.acceptUnboundBrowsers',
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
