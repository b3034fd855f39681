export interface Variable {
  name: string
  /** Path of the setting that it overrides; absent if it overrides none. */
  setting?: readonly string[]
  /** How its text is converted to the value of the setting; absent if the text is the value. */
  reading?: 'number' | 'list' | 'switch'
  /** Whether it holds a secret, or an address that may have one: then `NAME_FILE` may name a file that has the value. */
  isSecret?: true
  /** The value without the variable, in words; absent if that is the default of the setting, or none. */
  fallback?: string
  description: string
}

const variables: Variable[] = [
  { name: 'HOST', setting: ['host'], description: 'Address to listen on' },
  { name: 'PORT', setting: ['port'], reading: 'number', description: 'Port to listen on; 0 picks a free one' },
  {
    name: 'DATA_DIR',
    fallback: '`./data`',
    description: 'Directory of the configuration, the master secret and the database',
  },
  {
    name: 'DATABASE_URL',
    isSecret: true,
    setting: ['databaseUrl'],
    description: 'Database, `sqlite:PATH` or `postgres://USER@HOST:PORT/NAME`; a relative path starts in `DATA_DIR`',
  },
  {
    name: 'REDIS_URL',
    isSecret: true,
    setting: ['redisUrl'],
    fallback: 'none',
    description:
      'Redis for captchas, one-time codes and counters, `redis://USER:PASSWORD@HOST:PORT` or `rediss://…`; with `+sentinel` or `+cluster` those (see redis.md)',
  },
  {
    name: 'ROLLCALL_SECRET',
    isSecret: true,
    fallback: 'the file `DATA_DIR/secret`',
    description: 'Master secret, at least 32 characters',
  },
  {
    name: 'ROLLCALL_NEW_SECRET',
    isSecret: true,
    description: 'New master secret, for `rollcall keys rewrap` only',
  },
  {
    name: 'ROLLCALL_COPY_FROM',
    isSecret: true,
    fallback: 'the database of the service',
    description: 'Database to copy, for `rollcall copy` only, in place of its `--from`',
  },
  {
    name: 'ROLLCALL_COPY_TO',
    isSecret: true,
    description: 'Empty database to copy to, for `rollcall copy` only, in place of its `--to`',
  },
  {
    name: 'ROLLCALL_ADMIN_PASSWORD',
    isSecret: true,
    fallback: 'random, printed once',
    description:
      'Password of `admin`, read at the first start only; with it, `admin` need not change the password at the first sign-in',
  },
  {
    name: 'PUBLIC_URL',
    setting: ['publicUrl'],
    fallback: 'none',
    description: 'Address at which browsers reach Rollcall, such as `https://id.example.com`',
  },
  {
    name: 'ISSUER',
    setting: ['issuer'],
    description: 'Claim `iss` of access tokens: a name, or the URL at which other services reach Rollcall',
  },
  { name: 'SERVICE_NAME', setting: ['serviceName'], description: 'Name of your service' },
  {
    name: 'TIME_ZONE',
    setting: ['timeZone'],
    fallback: 'that of the process (`TZ`)',
    description: 'Time zone (IANA) of files, mails and dates without a time, such as `Asia/Shanghai`',
  },
  {
    name: 'LOG_LEVEL',
    setting: ['logLevel'],
    description: 'Lowest level that is logged',
  },
  {
    name: 'TRUST_PROXY',
    setting: ['trustProxy'],
    fallback: 'none',
    reading: 'list',
    description:
      'Proxies whose headers `X-Forwarded-For` and `X-Request-Id` are trusted: IP addresses or CIDR ranges, separated by commas',
  },
  {
    name: 'CORS_ORIGINS',
    setting: ['corsOrigins'],
    fallback: 'none',
    reading: 'list',
    description: 'Origins of front ends on other hosts, also of apps, separated by commas; no wildcards',
  },
  {
    name: 'RATE_LIMITS',
    setting: ['rateLimits', 'enabled'],
    fallback: '`on`',
    reading: 'switch',
    description: '`on` or `off`; `off` only for benchmarks',
  },
  {
    name: 'SMTP_URL',
    isSecret: true,
    setting: ['mail', 'url'],
    fallback: 'none',
    description: 'Mail server, `smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`',
  },
  {
    name: 'METRICS_PORT',
    setting: ['metrics', 'port'],
    fallback: 'none',
    reading: 'number',
    description: 'Port of its own for the metrics',
  },
  {
    name: 'METRICS_HOST',
    setting: ['metrics', 'host'],
    description: 'Address of that port',
  },
  {
    name: 'METRICS_TOKEN',
    isSecret: true,
    setting: ['metrics', 'token'],
    fallback: 'none',
    description: 'Bearer token for `GET /metrics`, at least 32 characters',
  },
  { name: 'MAIL_FROM', setting: ['mail', 'from'], description: 'Sender of the mails' },
  {
    name: 'ROLLCALL_DEV_ECHO',
    fallback: '`0`',
    description:
      '`1` returns captcha answers and one-time codes in responses; refused with `NODE_ENV=production` and unless `HOST` is a loopback address',
  },
]

/** Every environment variable that Rollcall reads, but for `NAME_FILE` of those that are secret. */
export const environment: readonly Variable[] = variables

/** Adds those of a guest. */
export const addVariables = (added: readonly Variable[]): void => {
  variables.push(...added)
}
