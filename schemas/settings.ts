import { Type, type Static } from '@sinclair/typebox'
import { nullable } from './ref.js'
import { Branding } from './settings-branding.js'
import { Clients } from './settings-clients.js'
import { Connections } from './settings-connections.js'
import { Mail, OneTimeCodes, Sms } from './settings-delivery.js'
import { Federation } from './settings-federation.js'
import { Metrics } from './settings-metrics.js'
import { Pages } from './settings-pages.js'
import { Passkeys } from './settings-passkeys.js'
import { Audit, LoginLog } from './settings-records.js'
import { AccessTokenClaims, Introspection } from './settings-resource-servers.js'
import { Captcha, Passwords, Registration } from './settings-sign-in.js'
import { SecondFactor } from './settings-second-factor.js'
import { Lockout, RateLimits } from './settings-throttle.js'
import { UserListSettings } from './settings-user-list.js'

export { hashFloor } from './settings-sign-in.js'

const closed = { additionalProperties: false }

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

/** The configuration, `config.json`, overridden by the environment (see `environment`), without the blocks of guests. */
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
        '`redis://USER:PASSWORD@HOST:PORT` for captchas, one-time codes and counters; `redis+sentinel://…` and `redis+cluster://…` for Sentinel and a Cluster (see redis.md); `null` keeps them in the database',
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
    userList: UserListSettings,
    serviceName: Type.String({
      default: 'Rollcall',
      minLength: 1,
      maxLength: 100,
      description:
        'Name of your service in mails, text messages, authenticator apps and passkeys; while it is the preset, `branding.systemName` is taken where there is one. A new password that consists of this name is refused',
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
    phoneRegion: nullable(Type.String({ format: 'region' }), {
      default: 'CN',
      description:
        'Country (ISO 3166) of phone numbers written without a country code; new ones must be mobile numbers then. `null`: every number needs its country code. Set it before people enter numbers',
    }),
    timeZone: nullable(Type.String({ format: 'time-zone' }), {
      default: null,
      description:
        'Time zone (IANA), such as `Asia/Shanghai`, of files, mails and dates without a time; `null` means that of the process (`TZ`). Times in answers are RFC 3339',
    }),
    clients: Clients,
    captcha: Captcha,
    lockout: Lockout,
    passwords: Passwords,
    oneTimeCodes: OneTimeCodes,
    registration: Registration,
    secondFactor: SecondFactor,
    passkeys: Passkeys,
    mail: Mail,
    sms: Sms,
    federation: Federation,
    keys: Keys,
    accessTokens: AccessTokenClaims,
    introspection: Introspection,
    loginLog: LoginLog,
    audit: Audit,
    metrics: Metrics,
    branding: Branding,
    pages: Pages,
  },
  { $id: 'Settings', ...closed },
)
/** The blocks of guests, which declare them here. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each guest adds to it
export interface GuestSettings {}
export type Settings = Static<typeof Settings> & GuestSettings

/**
 * Settings of earlier versions by their path in `config.json`, each with what replaces it. A start names them in the log
 * and ignores them. An error would stop every upgrade, because the first start of an earlier version wrote them to the file.
 */
export const retiredSettings: Record<string, string> = {
  'federation.requireBrowser':
    'a callback is always accepted only from the browser that began the sign-in, except with federation.acceptUnboundBrowsers',
}
