/** How the text of a variable becomes the value of a setting. */
type Reading = 'text' | 'number' | 'list' | 'switch'

export interface Variable {
  name: string
  /** Path of the setting that it overrides; absent for what is not a setting. */
  setting?: readonly string[]
  reading: Reading
  description: string
}

/** Every environment variable that Rollcall reads. */
export const environment: readonly Variable[] = [
  { name: 'HOST', setting: ['host'], reading: 'text', description: 'Address to listen on' },
  { name: 'PORT', setting: ['port'], reading: 'number', description: 'Port to listen on; 0 picks a free one' },
  { name: 'DATA_DIR', reading: 'text', description: 'Directory of the configuration, the secret and the database' },
  { name: 'DATABASE_URL', setting: ['databaseUrl'], reading: 'text', description: '`sqlite:PATH`' },
  { name: 'ROLLCALL_SECRET', reading: 'text', description: 'Master secret, instead of the file `DATA_DIR/secret`' },
  {
    name: 'ROLLCALL_ADMIN_PASSWORD',
    reading: 'text',
    description: 'Password of `admin` at the first start, instead of a random one',
  },
  {
    name: 'LOG_LEVEL',
    setting: ['logLevel'],
    reading: 'text',
    description: 'fatal, error, warn, info, debug, trace or silent',
  },
  {
    name: 'TRUST_PROXY',
    setting: ['trustProxy'],
    reading: 'list',
    description: 'Addresses or CIDR ranges of trusted proxies, separated by commas',
  },
  {
    name: 'CORS_ORIGINS',
    setting: ['corsOrigins'],
    reading: 'list',
    description: 'Origins of front ends on other hosts, separated by commas',
  },
  {
    name: 'RATE_LIMITS',
    setting: ['rateLimits', 'enabled'],
    reading: 'switch',
    description: '`on` or `off`; off only for benchmarks',
  },
  {
    name: 'SMTP_URL',
    setting: ['mail', 'url'],
    reading: 'text',
    description: 'Mail server, `smtp://USER:PASSWORD@HOST:PORT`',
  },
  { name: 'MAIL_FROM', setting: ['mail', 'from'], reading: 'text', description: 'Sender of the mails' },
  {
    name: 'ROLLCALL_DEV_ECHO',
    reading: 'text',
    description: '`1` returns captcha answers in the response; for development only',
  },
]
