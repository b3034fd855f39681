import { existsSync } from 'node:fs'
import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { runCommand } from '../../helpers/processes/command.js'
import { installed, password, refusal, secret } from '../../helpers/service/installation.js'
import { startProcess } from '../../helpers/processes/process.js'

interface Row {
  sentence: string
  environment: Record<string, string>
  /** The variable that is named, and what is said about it. */
  name: string
  message: RegExp
}

const rows: Row[] = [
  { sentence: 'a port out of range', environment: { PORT: '99999' }, name: 'PORT', message: /65535/ },
  { sentence: 'a port that is no number', environment: { PORT: 'http' }, name: 'PORT', message: /must be an integer/ },
  { sentence: 'a negative port', environment: { PORT: '-1' }, name: 'PORT', message: /integer/ },
  { sentence: 'a port with a fraction', environment: { PORT: '80.5' }, name: 'PORT', message: /integer/ },
  { sentence: 'an unknown log level', environment: { LOG_LEVEL: 'loud' }, name: 'LOG_LEVEL', message: /one of .*info/ },
  {
    sentence: 'a switch that is not on or off',
    environment: { RATE_LIMITS: 'no' },
    name: 'RATE_LIMITS',
    message: /on or off/,
  },
  {
    sentence: 'a database that is neither SQLite nor PostgreSQL',
    environment: { DATABASE_URL: 'mysql://u@h/d' },
    name: 'DATABASE_URL',
    message: /sqlite:PATH.*postgres:/,
  },
  {
    sentence: 'a database without a scheme',
    environment: { DATABASE_URL: 'x.db' },
    name: 'DATABASE_URL',
    message: /sqlite:PATH/,
  },
  {
    sentence: 'a database without a path',
    environment: { DATABASE_URL: 'sqlite:' },
    name: 'DATABASE_URL',
    message: /sqlite:PATH/,
  },
  ...[
    'https://a.example.com/path',
    'https://a.example.com/',
    'a.example.com',
    '*',
    'null',
    'ftp://a.example.com',
    'https://*.example.com',
    'https://*',
    'http://localhost:*',
    'capacitor://*',
    'capacitor://',
    'capacitor:localhost',
    'capacitor://localhost/',
    'capacitor://localhost/index.html',
    'capacitor://user@localhost',
    'capacitor://localhost?x',
    'file://',
  ].map((origin) => ({
    sentence: `the CORS origin ${origin}`,
    environment: { CORS_ORIGINS: `https://good.example.com,${origin}` },
    name: 'CORS_ORIGINS',
    message: /must be an origin such as https:.* without \*/,
  })),
  ...['proxy', 'true', '10.0.0.0/33', '10.0.0.256', '10.0.0.0/8/8', '*', '0.0.0.0/0', '::/0'].map((range) => ({
    sentence: `the trusted proxy ${range}`,
    environment: { TRUST_PROXY: `127.0.0.1,${range}` },
    name: 'TRUST_PROXY',
    message: /must be an address, a CIDR range/,
  })),
  {
    sentence: 'a variable nobody knows',
    environment: { ROLLCALL_PORT: '1' },
    name: 'ROLLCALL_PORT',
    message: /is not a variable/,
  },
  ...['DATABSE_URL', 'DATABASE_UR', 'DATABASE__URL', 'DATABASE_URI', 'DAATBASE_URL'].map((name) => ({
    sentence: `the misspelt ${name}`,
    environment: { [name]: 'postgres://u@h/d' },
    name,
    message: /is not a variable of Rollcall\. If DATABASE_URL is meant, correct the name/,
  })),
  {
    sentence: 'a misspelt variable of our name space',
    environment: { ROLLCALL_SECERT: 'short-secret' },
    name: 'ROLLCALL_SECERT',
    message: /is ROLLCALL_SECRET meant\?/,
  },
  ...['MAIL_FROM_FILE', 'TRUST_PROXY_FILE', 'HOST_FILE', 'SMTP_URL_PASSWORD_FILE', 'ROLLCALL_DEV_ECHO_FILE'].map(
    (name) => ({
      sentence: `${name}, which nobody reads,`,
      environment: { [name]: '/run/secrets/any' },
      name,
      message: /is not a variable of Rollcall; a file may be named by DATABASE_URL_FILE, REDIS_URL_FILE/,
    }),
  ),
  {
    sentence: 'the misspelt SMTP_URL_FIEL',
    environment: { SMTP_URL_FIEL: '/run/secrets/smtp' },
    name: 'SMTP_URL_FIEL',
    message: /If SMTP_URL_FILE is meant/,
  },
  {
    sentence: 'a port for the metrics that is no number',
    environment: { METRICS_PORT: '10.0.0.11:9464' },
    name: 'METRICS_PORT',
    message: /must be an integer/,
  },
  {
    sentence: 'a Redis of another scheme',
    environment: { REDIS_URL: 'http://:secret-word@localhost' },
    name: 'REDIS_URL',
    message: /must be `redis:\/\//,
  },
  {
    sentence: 'a short secret',
    environment: { ROLLCALL_SECRET: 'short-secret' },
    name: 'ROLLCALL_SECRET',
    message: /at least 32 characters/,
  },
  {
    sentence: 'an echo that is neither 0 nor 1',
    environment: { ROLLCALL_DEV_ECHO: 'yes' },
    name: 'ROLLCALL_DEV_ECHO',
    message: /0 or 1/,
  },
  {
    sentence: 'an echo in production',
    environment: { ROLLCALL_DEV_ECHO: '1', NODE_ENV: 'production' },
    name: 'ROLLCALL_DEV_ECHO',
    message: /NODE_ENV=production/,
  },
  ...['0.0.0.0', '::', '192.168.1.5', 'console.example.com', '::ffff:192.168.1.5', '127.0.0.1.example.com'].map(
    (HOST) => ({
      sentence: `an echo on ${HOST}`,
      environment: { ROLLCALL_DEV_ECHO: '1', HOST },
      name: 'ROLLCALL_DEV_ECHO',
      message: /refused unless HOST is 127\.0\.0\.1, ::1 or localhost/,
    }),
  ),
]

for (const { sentence, environment, name, message } of rows) {
  test(`${sentence} is refused by name, and nothing is created`, (t) => {
    for (const DATA_DIR of [emptyDirectory(t), installed(t)]) {
      const isNew = !existsSync(DATA_DIR)
      const error = refusal(t, { ROLLCALL_SECRET: secret, ...environment, DATA_DIR })
      t.same(
        error.faults.map((fault) => [fault.name, fault.source]),
        [[name, 'environment']],
      )
      t.match(error.faults[0]?.message, message)
      t.match(error.message, `${name} (environment): `)
      if (isNew) t.notOk(existsSync(DATA_DIR), 'nothing was created')
      for (const word of [secret, password, 'short-secret', 'u@h']) t.notMatch(error.message, word)
    }
    t.end()
  })
}

test('a name that is one letter from ours belongs to another program where ours is set, and short names are no matter', (t) => {
  const others = {
    REDIS_URI: 'redis://u@h',
    REDIS_URL: '',
    SMTP_URI: 'x',
    SMTP_URL: 'smtp://127.0.0.1',
    POST: '1',
    HOME: '/',
  }
  const { settings } = openInstallation({ DATA_DIR: installed(t), ...others }, { create: false })
  t.match(settings, { redisUrl: null, port: 3000, mail: { url: 'smtp://127.0.0.1' } })
  t.end()
})

/** What Kubernetes adds for services called `rollcall`, `rollcall-web` and `metrics`. */
const services = (name: string, port: number): Record<string, string> => ({
  [`${name}_SERVICE_HOST`]: '10.0.0.11',
  [`${name}_SERVICE_PORT`]: `${port}`,
  [`${name}_SERVICE_PORT_HTTP`]: `${port}`,
  [`${name}_PORT`]: `tcp://10.0.0.11:${port}`,
  [`${name}_PORT_${port}_TCP`]: `tcp://10.0.0.11:${port}`,
  [`${name}_PORT_${port}_TCP_PROTO`]: 'tcp',
  [`${name}_PORT_${port}_TCP_PORT`]: `${port}`,
  [`${name}_PORT_${port}_TCP_ADDR`]: '10.0.0.11',
})

test('what Kubernetes adds for services of such names is ignored: at the start, by commands and by doctor', async (t) => {
  const environment = {
    ...services('ROLLCALL', 3000),
    ...services('ROLLCALL_WEB', 80),
    ...services('METRICS', 9464),
    ROLLCALL_PORT_53_UDP: 'udp://10.0.0.11:53',
  }
  const directory = emptyDirectory(t)
  const service = await startProcess(t, { directory, environment })
  t.equal((await service.stop()).code, 0)
  const listed = await runCommand(t, ['tenant', 'list'], { directory, environment })
  t.match(listed, { code: 0, stderr: '' })
  const examined = await runCommand(t, ['doctor'], { directory, environment })
  t.match(examined, { code: 0, stdout: /configuration: .+ have no fault/ })
})
