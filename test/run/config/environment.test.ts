import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test, type Test } from 'tap'
import { openInstallation, type Installation } from '../../../app.js'
import { dataDirectory } from '../../../plugins/run/config/data-directory.js'
import { environment } from '../../../schemas/environment.js'
import { emptyDirectory } from '../../helpers/processes/child.js'

const secret = 'another-environment-secret-of-many-characters'

/** What the file says, what the variable says, and what comes of it. */
const rows: Record<string, { file?: object; text: string; read: (from: Installation) => unknown; result: unknown }> = {
  HOST: { file: { host: '127.0.0.2' }, text: '0.0.0.0', read: ({ settings }) => settings.host, result: '0.0.0.0' },
  PORT: { file: { port: 1234 }, text: '4321', read: ({ settings }) => settings.port, result: 4321 },
  DATABASE_URL: {
    file: { databaseUrl: 'sqlite:one.db' },
    text: 'sqlite:other.db',
    read: ({ settings }) => settings.databaseUrl,
    result: 'sqlite:other.db',
  },
  REDIS_URL: {
    file: { redisUrl: 'redis://127.0.0.1:6390' },
    text: 'rediss+sentinel://:word@one.example.com,two.example.com:26380/main',
    read: ({ settings }) => settings.redisUrl,
    result: 'rediss+sentinel://:word@one.example.com,two.example.com:26380/main',
  },
  ROLLCALL_SECRET: { text: secret, read: (from) => from.secret, result: secret },
  ROLLCALL_ADMIN_PASSWORD: {
    text: 'plain green teapot',
    read: ({ adminPassword }) => adminPassword,
    result: 'plain green teapot',
  },
  PUBLIC_URL: {
    file: { publicUrl: 'https://one.example.com' },
    text: 'https://two.example.com/iam',
    read: ({ settings }) => settings.publicUrl,
    result: 'https://two.example.com/iam',
  },
  ISSUER: {
    file: { issuer: 'one' },
    text: 'https://id.example.com',
    read: ({ settings }) => settings.issuer,
    result: 'https://id.example.com',
  },
  SERVICE_NAME: {
    file: { serviceName: 'One' },
    text: '12345678',
    read: ({ settings }) => settings.serviceName,
    result: '12345678',
  },
  TIME_ZONE: {
    file: { timeZone: 'Asia/Shanghai' },
    text: 'Europe/London',
    read: ({ settings }) => settings.timeZone,
    result: 'Europe/London',
  },
  LOG_LEVEL: { file: { logLevel: 'debug' }, text: 'warn', read: ({ settings }) => settings.logLevel, result: 'warn' },
  SMTP_URL: {
    file: { mail: { url: 'smtp://127.0.0.1:2525' } },
    text: 'smtps://user:word@mail.example.com',
    read: ({ settings }) => settings.mail.url,
    result: 'smtps://user:word@mail.example.com',
  },
  METRICS_PORT: {
    file: { metrics: { port: 9000 } },
    text: '9001',
    read: ({ settings }) => settings.metrics.port,
    result: 9001,
  },
  METRICS_HOST: {
    file: { metrics: { host: '127.0.0.2' } },
    text: '127.0.0.3',
    read: ({ settings }) => settings.metrics.host,
    result: '127.0.0.3',
  },
  METRICS_TOKEN: {
    file: { metrics: { token: 'one token that is long enough for it' } },
    text: 'another token that is long enough here',
    read: ({ settings }) => settings.metrics.token,
    result: 'another token that is long enough here',
  },
  MAIL_FROM: {
    file: { mail: { from: 'one@example.com' } },
    text: 'Codes <codes@example.com>',
    read: ({ settings }) => settings.mail.from,
    result: 'Codes <codes@example.com>',
  },
  TRUST_PROXY: {
    file: { trustProxy: ['192.0.2.1'] },
    text: '10.0.0.0/8, loopback ,2001:db8::/32',
    read: ({ settings }) => settings.trustProxy,
    result: ['10.0.0.0/8', 'loopback', '2001:db8::/32'],
  },
  CORS_ORIGINS: {
    file: { corsOrigins: ['https://one.example.com'] },
    text: 'https://two.example.com, http://localhost:5173',
    read: ({ settings }) => settings.corsOrigins,
    result: ['https://two.example.com', 'http://localhost:5173'],
  },
  RATE_LIMITS: {
    file: { rateLimits: { enabled: true, signIn: 7 } },
    text: 'off',
    read: ({ settings: { rateLimits } }) => [rateLimits.enabled, rateLimits.signIn],
    result: [false, 7],
  },
  ROLLCALL_DEV_ECHO: { text: '1', read: ({ devEcho }) => devEcho, result: true },
}

/** An installed directory whose file has these settings laid over it. */
const installed = (t: Test, file: object = {}) => {
  const directory = emptyDirectory(t)
  openInstallation({ DATA_DIR: directory }, { create: true })
  const path = join(directory, 'config.json')
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...file }))
  return directory
}

/** The place of the file, and what only one command reads, whose test has it. */
const elsewhere = ['DATA_DIR', 'ROLLCALL_NEW_SECRET', 'ROLLCALL_COPY_FROM', 'ROLLCALL_COPY_TO']

for (const { name } of environment.filter((variable) => !elsewhere.includes(variable.name))) {
  test(`${name} of the environment wins over the file`, (t) => {
    const row = rows[name]
    if (!row) return t.fail(`no row for ${name}`)
    const DATA_DIR = installed(t, row.file)
    const withIt = openInstallation({ DATA_DIR, [name]: row.text }, { create: false })
    const without = openInstallation({ DATA_DIR }, { create: false })
    t.same(row.read(withIt), row.result)
    t.notSame(row.read(without), row.result, 'the variable makes the difference')
    t.end()
  })

  for (const blank of ['', '  ']) {
    test(`${name}=${JSON.stringify(blank)} is absent`, (t) => {
      const DATA_DIR = installed(t, rows[name]?.file)
      const withBlank = openInstallation({ DATA_DIR, [name]: blank }, { create: false })
      t.same(withBlank, openInstallation({ DATA_DIR }, { create: false }))
      t.end()
    })
  }
}

test('there is a row here for every variable', (t) => {
  t.same(
    Object.keys(rows).sort(),
    environment
      .map(({ name }) => name)
      .filter((name) => !elsewhere.includes(name))
      .sort(),
  )
  t.end()
})

for (const [DATA_DIR, directory, sentence] of [
  ['/var/lib/rollcall', '/var/lib/rollcall', 'DATA_DIR chooses the directory'],
  ['not/there', resolve('not/there'), 'a relative DATA_DIR starts where the process runs'],
  [undefined, resolve('data'), 'without DATA_DIR the directory is ./data'],
  ['', resolve('data'), 'an empty DATA_DIR is absent'],
  ['  ', resolve('data'), 'a blank DATA_DIR is absent'],
] as const) {
  test(sentence, (t) => {
    t.equal(dataDirectory({ DATA_DIR }), directory)
    t.end()
  })
}

test('spaces around a value do not count', (t) => {
  const DATA_DIR = installed(t)
  const { settings } = openInstallation({ DATA_DIR, PORT: ' 4321 ', LOG_LEVEL: 'warn ' }, { create: false })
  t.equal(settings.port, 4321)
  t.equal(settings.logLevel, 'warn')
  t.end()
})

test('variables of other programs do not disturb', (t) => {
  const DATA_DIR = installed(t)
  const others = { PATH: '/bin', npm_config_port: '1', NODE_ENV: 'production', ROLLCALL_TEST_POSTGRES_URL: 'x' }
  t.same(
    openInstallation({ DATA_DIR, ...others }, { create: false }),
    openInstallation({ DATA_DIR }, { create: false }),
  )
  t.end()
})

test('ROLLCALL_DEV_ECHO=0 echoes nothing, also in production', (t) => {
  const DATA_DIR = installed(t)
  const variables = { DATA_DIR, ROLLCALL_DEV_ECHO: '0', NODE_ENV: 'production' }
  t.equal(openInstallation(variables, { create: false }).devEcho, false)
  t.end()
})

test('ROLLCALL_DEV_ECHO=1 echoes on every loopback address', (t) => {
  for (const HOST of ['127.0.0.1', '127.8.0.1', '::1', 'localhost', '::ffff:127.0.0.1']) {
    const variables = { DATA_DIR: installed(t), ROLLCALL_DEV_ECHO: '1', HOST }
    t.equal(openInstallation(variables, { create: true }).devEcho, true, HOST)
  }
  t.end()
})
