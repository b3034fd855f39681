import { Type, type Static } from '@sinclair/typebox'
import { defaultTenantId } from './login.js'
import { nullable } from './ref.js'
import { Connections } from './settings-connections.js'
import { Metrics } from './settings-metrics.js'
import { Mail, OneTimeCodes, Sms } from './settings-delivery.js'
import { Federation } from './settings-federation.js'
import { AccessTokenClaims, FurtherAudiences, Introspection } from './settings-resource-servers.js'

/** Ten years. A longer time is a typing error. */
const maxSeconds = 315_360_000
const seconds = (description: string, preset?: number) =>
  Type.Integer({
    minimum: 1,
    maximum: maxSeconds,
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
      description: 'Maximum number of sessions that a user has at once with this kind of client',
    }),
    onLimit: Type.Unsafe<'replace' | 'reject'>(
      Type.String({
        enum: ['replace', 'reject'],
        description:
          'What a sign-in does above `maxSessions`: `replace` ends the oldest session, `reject` refuses the sign-in',
      }),
    ),
    audiences: FurtherAudiences,
  },
  closed,
)

type ClientSettings = Static<typeof Client>
type Clients = Record<string, ClientSettings> & Record<'pc' | 'app' | 'h5' | 'wechat', ClientSettings>
/** Names of clients that the configuration adds. The four of the contract are excluded: their settings are required. */
const furtherClient = '^(?!(pc|app|h5|wechat)$)[A-Za-z][A-Za-z0-9_-]{0,31}$'

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

const Lockout = Type.Object(
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

const RateLimits = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description:
        '`false` only for benchmarks: it switches off these limits and the counting of failures per IP address',
    }),
    signIn: perMinute(60, 'Sign-ins and password changes'),
    captcha: perMinute(120, 'Captchas'),
    refresh: perMinute(300, 'Refreshes and sign-outs'),
    list: Type.Integer({
      minimum: 1,
      default: 120,
      description: 'New searches and sort orders of long lists per minute and user',
    }),
  },
  { ...closed, default: {}, description: 'How many requests are answered; requests above a limit get the status 429.' },
)

/** The least and the most that a new password hash may cost. */
export const hashFloor = { memoryKiB: 19_456, passes: 2 } as const
const hashCeiling = { memoryKiB: 1_048_576, passes: 100 } as const

const Passwords = Type.Object(
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

const Registration = Type.Object(
  {
    mode: Type.Unsafe<'closed' | 'open'>(
      Type.String({
        enum: ['closed', 'open'],
        default: 'closed',
        description: '`open` lets everybody add an account who proves a phone number or an e-mail address',
      }),
    ),
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

const Keys = Type.Object(
  {
    rotateAfterDays: Type.Integer({
      minimum: 0,
      maximum: 3650,
      default: 90,
      description:
        'Days after which a new key signs; it is published a day before. 0 means only by `rollcall keys rotate`',
    }),
  },
  { ...closed, default: {}, description: 'The keys that sign access tokens; see keys.md.' },
)

const LoginLog = Type.Object(
  {
    keepDays: Type.Integer({ minimum: 1, default: 180, description: 'Days for which rows of the login log are kept' }),
  },
  { ...closed, default: {}, description: 'The list of sign-ins and refused sign-ins that `rollcall log` prints.' },
)

const Audit = Type.Object(
  {
    keepDays: Type.Integer({
      minimum: 1,
      default: 365,
      description: 'Days for which rows of the audit trail are kept',
    }),
  },
  { ...closed, default: {}, description: 'The list of changes that `rollcall audit` prints.' },
)

const Compat = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description: 'Serve the requests of an existing front end as well (tag `compat` of the OpenAPI document)',
    }),
  },
  { ...closed, default: {}, description: 'Requests of front ends that were written for another back end.' },
)

const brandingText = (description: string) => nullable(Type.String(), { default: null, description })

const Branding = Type.Object(
  {
    systemName: brandingText('Name shown on the sign-in page'),
    systemLogo: brandingText('URL of a picture on the sign-in page'),
    browserTitle: brandingText('Title of the browser window'),
    copyrightInfo: brandingText('Line at the foot of the sign-in page'),
    color: Type.String({
      default: '#14616f',
      format: 'brand-color',
      description:
        'Color behind the name of the service in mails, `#` and six hexadecimal digits, dark enough for white text',
    }),
  },
  {
    ...closed,
    default: {},
    description:
      'How the service looks: what `GET /auth/loginConfig` tells a sign-in page to show, and the color of mails.',
  },
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
      pattern: '^(sqlite:.+|postgres(ql)?://.+)$',
      description:
        '`sqlite:PATH`, where a relative path starts in `DATA_DIR`, or `postgres://USER@HOST:PORT/NAME` (see postgresql.md)',
    }),
    redisUrl: nullable(Type.String({ pattern: '^rediss?(\\+(sentinel|cluster))?://.+' }), {
      default: null,
      description:
        '`redis://USER:PASSWORD@HOST:PORT` for captchas, one-time codes and counters (see redis.md); `null` keeps them in the database',
    }),
    logLevel: Type.String({
      default: 'info',
      enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      description: 'Lowest level that is logged',
    }),
    trustProxy: Type.Array(Type.String({ format: 'address-range' }), {
      default: [],
      description:
        'IP addresses or CIDR ranges of the proxies whose headers `X-Forwarded-For` and `X-Request-Id` are trusted; `loopback`, `linklocal` and `uniquelocal` are names of ranges',
    }),
    corsOrigins: Type.Array(Type.String({ format: 'origin' }), {
      default: [],
      description:
        'Origins of front ends on other hosts, such as `https://console.example.com`, `capacitor://localhost` or `chrome-extension://ID`, each written out without `*`; front ends of the same site may send cookies',
    }),
    rateLimits: RateLimits,
    connections: Connections,
    serviceName: Type.String({
      default: 'Rollcall',
      minLength: 1,
      maxLength: 100,
      description: 'Name of your service; a new password that consists of this name is refused',
    }),
    issuer: Type.String({
      default: 'rollcall',
      format: 'issuer',
      description:
        'Claim `iss` of access tokens: a name, or the URL at which other services reach Rollcall. With a URL, `GET /.well-known/openid-configuration` is served',
    }),
    publicUrl: nullable(Type.String({ format: 'base-url' }), {
      default: null,
      description:
        'Address at which browsers reach Rollcall, with the prefix that a proxy takes away, such as `https://example.com/iam`; forms of its pages are accepted whatever `Host` a proxy sends. `null` means `issuer`, if that is a URL',
    }),
    audience: Type.String({ default: 'rollcall', minLength: 1, description: 'Claim `aud` of access tokens' }),
    phoneRegion: Type.String({
      default: 'CN',
      format: 'region',
      description: 'Country (ISO 3166) of phone numbers written without a country code',
    }),
    timeZone: nullable(Type.String({ format: 'time-zone' }), {
      default: null,
      description:
        'Time zone (IANA), such as `Asia/Shanghai`, of files, mails and dates without a time; `null` means that of the process (`TZ`). Times in answers are RFC 3339',
    }),
    clients: Type.Unsafe<Clients>(
      Type.Object(
        { pc: Client, app: Client, h5: Client, wechat: Client },
        {
          ...closed,
          patternProperties: { [furtherClient]: Client },
          description:
            'How long sessions and access tokens live, for each kind of client (`userClient`). Further kinds may be added, such as `forge_report`: names of 1 to 32 letters, digits, `_` and `-` that begin with a letter.',
        },
      ),
    ),
    captcha: Captcha,
    lockout: Lockout,
    passwords: Passwords,
    oneTimeCodes: OneTimeCodes,
    registration: Registration,
    mail: Mail,
    sms: Sms,
    federation: Federation,
    keys: Keys,
    accessTokens: AccessTokenClaims,
    introspection: Introspection,
    loginLog: LoginLog,
    audit: Audit,
    metrics: Metrics,
    compat: Compat,
    branding: Branding,
  },
  { $id: 'Settings', ...closed },
)
export type Settings = Static<typeof Settings>

/**
 * Settings of earlier versions by their path in `config.json`, each with what replaces it. A start names them in the log
 * and ignores them. An error would stop every upgrade, because the first start of an earlier version wrote them to the file.
 */
export const retiredSettings: Record<string, string> = {
  'federation.requireBrowser':
    'a callback is always accepted only from the browser that began the sign-in, except with federation.acceptUnboundBrowsers',
}

/**
 * The lifetimes that the first start writes to `config.json`, where the operator sees and changes them. They are not
 * defaults: Rollcall does not start with a configuration that lacks them.
 */
const minutes = 60
const days = 24 * 60 * minutes
const common = { onLimit: 'replace' as const, audiences: [] }
export const firstClients: Settings['clients'] = {
  pc: { accessTtl: 30 * minutes, idleTtl: 8 * 60 * minutes, maxTtl: 7 * days, maxSessions: 5, ...common },
  app: { accessTtl: 60 * minutes, idleTtl: 14 * days, maxTtl: 30 * days, maxSessions: 3, ...common },
  h5: { accessTtl: 30 * minutes, idleTtl: 1 * days, maxTtl: 7 * days, maxSessions: 3, ...common },
  wechat: { accessTtl: 60 * minutes, idleTtl: 7 * days, maxTtl: 30 * days, maxSessions: 1, ...common },
}
