import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { createCli, type Cli, type RunOptions } from '../helpers/processes/cli.js'
import { changeSettings, examine, troubles } from '../helpers/processes/doctor.js'
import { freePort } from '../helpers/processes/free-port.js'
import { startHostileProvider } from '../helpers/peers/hostile-provider.js'
import { startMailServer } from '../helpers/peers/mail-server.js'
import { federation, redirectUri, startOpenIdProvider } from '../helpers/peers/openid-provider.js'
import { serve } from '../helpers/service/serve.js'

const checks = [
  'node',
  'configuration',
  'paths',
  'free space',
  'temporary files',
  'database',
  'migrations',
  'keys',
  'clock',
  'accounts',
  'hash cost',
  'mail',
  'text messages',
]

test('doctor finds no fault in a new installation, also beside a running service', async (t) => {
  const cli = await createCli(t)
  const quiet = await examine(t, cli)
  t.same(
    quiet.map(({ check }) => check),
    checks,
  )
  t.same(
    troubles(quiet).map(({ check }) => check),
    ['mail'],
    'only that there is no mail server',
  )
  await serve(t, cli.directory)
  t.same(
    troubles(await examine(t, cli)).map(({ check }) => check),
    ['mail'],
  )
  const lines = await cli.done('doctor')
  t.match(lines, /^ok {7}node: Node\.js [\d.]+ on \w+ \w+\n/)
  t.match(lines, /^warning {2}mail: no mail server is configured.*\n {9}Set mail\.url \(SMTP_URL\)\.$/m)
  t.match(lines, /^ok {7}hash cost: \d+ ms for one password: about \d+ sign-ins a second at most on \d+ processors$/m)
  t.match(lines, /\n0 faults, 1 warning\.\n$/)
})

test('doctor names each trouble with what to do, and changes nothing', async (t) => {
  const rewrite = (cli: Cli, sql: string) => {
    const file = new Sqlite(join(cli.directory, 'rollcall.db'))
    file.exec(sql)
    file.close()
  }
  const rows: [what: string, prepare: (cli: Cli) => unknown, check: string, level: string, message: RegExp][] = [
    [
      'a wrong setting',
      (cli) => changeSettings(cli, { port: -1 }),
      'configuration',
      'fault',
      /^port .*must be at least 0/,
    ],
    [
      'no data directory',
      (cli) => rmSync(cli.directory, { recursive: true }),
      'configuration',
      'fault',
      /There is no Rollcall data/,
    ],
    [
      'rate limits switched off',
      () => ({ environment: { RATE_LIMITS: 'off' } }),
      'configuration',
      'warning',
      /rate limits are off/,
    ],
    [
      'codes in responses',
      () => ({ environment: { ROLLCALL_DEV_ECHO: '1' } }),
      'configuration',
      'warning',
      /ROLLCALL_DEV_ECHO is on/,
    ],
    ['no proxy', () => ({ environment: { HOST: '0.0.0.0' } }), 'configuration', 'warning', /trusts no proxy/],
    [
      'a secret that others can read',
      ({ directory }) => chmodSync(join(directory, 'secret'), 0o644),
      'paths',
      'fault',
      /other users .* can use .*secret/,
    ],
    [
      'a directory that others can change',
      ({ directory }) => chmodSync(directory, 0o777),
      'paths',
      'fault',
      /other users .* can change /,
    ],
    [
      'a database that others can read',
      ({ directory }) => chmodSync(join(directory, 'rollcall.db'), 0o640),
      'paths',
      'fault',
      /other users .*rollcall\.db/,
    ],
    [
      'a secret that is not used',
      () => ({ environment: { ROLLCALL_SECRET: 'x'.repeat(40) } }),
      'paths',
      'warning',
      /ROLLCALL_SECRET is set/,
    ],
    [
      'another secret',
      ({ directory }) => writeFileSync(join(directory, 'secret'), 'x'.repeat(40)),
      'keys',
      'fault',
      /master secret does not open/,
    ],
    [
      'no database',
      () => ({ environment: { DATABASE_URL: 'sqlite:none.db' } }),
      'database',
      'fault',
      /there is no database at .*none\.db/,
    ],
    [
      'a damaged database',
      ({ directory }) => writeFileSync(join(directory, 'rollcall.db'), 'rubbish '.repeat(1000)),
      'database',
      'fault',
      /cannot be opened/,
    ],
    [
      'a migration that has not run',
      (cli) => rewrite(cli, `delete from kysely_migration where name like '0014%'`),
      'migrations',
      'warning',
      /have not run: 0014/,
    ],
    [
      'a later version',
      (cli) => rewrite(cli, `insert into kysely_migration values ('9999-later', '2030')`),
      'migrations',
      'fault',
      /later version/,
    ],
    [
      'a clock that is behind',
      (cli) =>
        rewrite(
          cli,
          `insert into login_log (time, tenant_id, subject, auth_type, user_client, address, user_agent)
           values (${Date.now() + 1e8}, 1, 'admin', 'password', 'pc', '127.0.0.1', '')`,
        ),
      'clock',
      'fault',
      /the last sign-in .* was at/,
    ],
    [
      'a mail server that does not answer',
      () => ({ environment: { SMTP_URL: 'smtp://127.0.0.1:1' } }),
      'mail',
      'fault',
      /ECONNREFUSED/,
    ],
    [
      'text messages in the log',
      (cli) => changeSettings(cli, { sms: { sender: 'log' } }),
      'text messages',
      'warning',
      /codes are in the log/,
    ],
    [
      'a sender that is not complete',
      (cli) => changeSettings(cli, { sms: { sender: 'webhook' } }),
      'text messages',
      'fault',
      /sms\.webhook\.url/,
    ],
  ]
  for (const [what, prepare, check, level, message] of rows) {
    await t.test(what, async (t) => {
      const cli = await createCli(t)
      const options = (prepare(cli) ?? {}) as RunOptions
      const found = troubles(await examine(t, cli, '', options)).filter(
        ({ check }) => check !== 'mail' || what.includes('mail'),
      )
      t.ok(
        found.some((finding) => finding.check === check && finding.level === level && message.test(finding.message)),
        JSON.stringify(found),
      )
    })
  }
})

test('doctor sends a test mail and a test message when it is told to, and only then', async (t) => {
  const cli = await createCli(t)
  const { url, mails } = await startMailServer(t)
  const environment = { SMTP_URL: url }
  t.same(troubles(await examine(t, cli, '', { environment })), [])
  t.equal(mails.length, 0)
  const file = new Sqlite(join(cli.directory, 'rollcall.db'))
  file.exec(`insert into store values ('delivery-failure:mail', '{}', 9e12)`)
  file.close()
  const sent = await examine(t, cli, '--send-mail ops@example.com', { environment })
  t.notMatch(JSON.stringify(cli.content()['store']), /delivery-failure:mail/, 'the console tells no failure')
  t.match(sent.find(({ check }) => check === 'mail')?.message, /accepted a mail to ops@example\.com/)
  t.match(mails, [{ to: ['ops@example.com'], raw: /Subject: Test of Rollcall/ }])

  const refusing = await startMailServer(t, 'refuse')
  const refused = await examine(t, cli, '--send-mail ops@example.com', { environment: { SMTP_URL: refusing.url } })
  t.match(
    refused.find(({ check }) => check === 'mail'),
    { level: 'fault', message: /no such mailbox/ },
  )

  const without = await examine(t, cli, '--send-mail ops@example.com --send-sms 13800138000')
  for (const check of ['mail', 'text messages']) {
    t.match(
      without.find((finding) => finding.check === check),
      { level: 'fault', message: /nothing was sent/ },
    )
  }
  changeSettings(cli, { sms: { sender: 'log' } })
  const wrong = await examine(t, cli, '--send-sms 123')
  t.match(
    wrong.find(({ check }) => check === 'text messages'),
    { level: 'fault', message: /not a phone number/ },
  )
  const { code, stdout, stderr } = await cli.run('doctor --send-sms 13800138000')
  t.equal(code, 0)
  t.match(stderr, /"phone":"\+8613800138000"/)
  t.match(stdout, /^ok {7}text messages: log has accepted a message to \+8613800138000$/m)
})

test('doctor asks every OpenID provider for its metadata, and says which issuer they name', async (t) => {
  const cli = await createCli(t)
  const honest = await startOpenIdProvider(t)
  const other = { ...honest.settings, platform: 'other' }
  const silent = `http://127.0.0.1:${await freePort()}`
  const elsewhere = await startHostileProvider(t, {
    metadata: (metadata) => ({ ...metadata, issuer: 'https://elsewhere.example.com' }),
  })
  const keyOnly = await startHostileProvider(t, {
    metadata: (metadata) => ({ ...metadata, token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
  })
  const rows: [provider: object, level: string, message: string | RegExp][] = [
    [honest.settings, 'ok', `corporate: the metadata are those of ${honest.issuer}`],
    [{ ...other, issuer: `${honest.issuer}/` }, 'fault', `the metadata name the issuer ${honest.issuer}`],
    [
      { ...elsewhere.settings, platform: 'other' },
      'fault',
      'the metadata name the issuer https://elsewhere.example.com',
    ],
    [{ ...keyOnly.settings, platform: 'other' }, 'fault', /takes neither client_secret_basic nor client_secret_post/],
    [{ ...other, issuer: silent }, 'fault', /^other: the provider metadata cannot be used: .*ECONNREFUSED/],
    [
      { platform: 'hub', kind: 'github', clientId: 'x', clientSecret: 'y', redirectUris: [redirectUri] },
      'ok',
      /^hub: /,
    ],
  ]
  for (const [provider, level, message] of rows) {
    changeSettings(cli, federation([provider, { ...other, platform: 'off', issuer: silent, enabled: false }]))
    const found = (await examine(t, cli)).filter(({ check }) => check === 'identity providers')
    t.equal(found.length, 1, 'those that are enabled')
    t.match(found, [{ level, message }])
  }
  changeSettings(cli, federation([{ ...other, issuer: null }]))
  const wrong = (await examine(t, cli)).filter(({ check }) => check === 'identity providers')
  t.match(wrong, [{ level: 'fault', message: /issuer is missing/ }])
})
