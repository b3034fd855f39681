import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { createEncryption } from '../../plugins/run/encryption/encryption.js'
import { createPostgres, isPostgresThere, skipped } from '../helpers/databases/postgres.js'
import { startProxy } from '../helpers/databases/tcp-proxy.js'
import { databaseContent } from '../helpers/processes/child.js'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { adminPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'
import { serve } from '../helpers/service/serve.js'

const skip = (await isPostgresThere()) ? false : skipped
const newSecret = 'a new master secret of more than 32 characters'

test('keys are listed, rotated and revoked, and a running server honours it at once', async (t) => {
  const cli = await createCli(t)
  const server = await serve(t, cli.directory)
  const token = (await server.signIn('admin', adminPassword)).body.data.accessToken as string
  const [first] = await cli.json('keys list')
  t.match(first, { status: 'signing', activeTime: /^20/ })
  const { kid } = await cli.json('keys rotate')
  t.same(
    (await cli.json('keys list')).map((key: { kid: string; status: string }) => [key.kid, key.status]),
    [
      [kid, 'next'],
      [first.kid, 'signing'],
    ],
  )
  expectRefusal(t, await cli.run('keys rotate'), 1, /is published already/)
  expectRefusal(t, await cli.run('keys rotate --in 5'), 2, /at least 10/)
  expectRefusal(t, await cli.run('keys revoke nothing --yes'), 1, /There is no signing key nothing/)
  t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 200)
  t.equal(await cli.done(`keys revoke ${first.kid} --yes`), `Revoked the key ${first.kid} and ended 1 session.\n`)
  t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 401)
  t.match(await cli.done('keys list'), new RegExp(`^${kid}\\tES256\\tsigning\\tfrom `))
})

test('a new master secret opens everything, and the old one nothing', async (t) => {
  const cli = await createCli(t)
  const first = await startProcess(t, { directory: cli.directory })
  const token = (await first.signIn('admin', adminPassword)).body.data.accessToken as string
  const refreshed = (await first.call('POST', '/auth/refreshToken', { token })).body.data.accessToken as string
  await first.stop()
  const oldSecret = readFileSync(join(cli.directory, 'secret'), 'utf8').trim()
  const file = join(dirname(cli.directory), 'new-secret')
  writeFileSync(file, `${newSecret}\n`)
  const { texts } = await cli.json(`keys rewrap --new-secret-file ${file}`)
  t.equal(texts, 2, 'the signing key and the token of the session')
  t.equal(readFileSync(join(cli.directory, 'secret'), 'utf8').trim(), newSecret)
  t.equal(statSync(join(cli.directory, 'secret')).mode & 0o777, 0o600)
  t.notOk(existsSync(join(cli.directory, 'secret.new')))

  const second = await startProcess(t, { directory: cli.directory })
  t.equal((await second.call('GET', '/auth/userInfo', { token: refreshed })).status, 200, 'sessions live on')
  const again = await second.call('POST', '/auth/refreshToken', { token })
  t.equal(again.body.data.accessToken, refreshed, 'the stored token is opened')
  await second.stop()
  const environment = { ROLLCALL_SECRET: oldSecret }
  expectRefusal(t, await cli.run('keys list', { environment }), 1, /^The master secret does not open [^\n]+\n$/)
})

test('every column of the database that is encrypted is encrypted anew', async (t) => {
  const cli = await createCli(t)
  const server = await startProcess(t, { directory: cli.directory })
  const token = (await server.signIn('admin', adminPassword)).body.data.accessToken as string
  await server.call('POST', '/auth/refreshToken', { token })
  await server.stop()
  const old = createEncryption(readFileSync(join(cli.directory, 'secret'), 'utf8').trim())
  const keys = ['federation:state:x', 'factor:enrol:session:x']
  const Sqlite = (await import('better-sqlite3')).default
  const database = new Sqlite(join(cli.directory, 'rollcall.db'))
  database
    .prepare(`insert into totp_secrets values ('app', 1, 'My phone', ?, 0, 1, null)`)
    .run(old.encrypt('JBSWY3DPEHPK3PXP', 'totp app'))
  for (const key of keys)
    database.prepare('insert into store values (?, ?, ?)').run(key, old.encrypt('a value', key), 4e12)
  database.close()
  const before = JSON.stringify(databaseContent(cli.directory))
  await cli.done('keys rewrap', { environment: { ROLLCALL_NEW_SECRET: newSecret } })
  const content = databaseContent(cli.directory) as Record<string, Record<string, string>[]>
  const after = createEncryption(newSecret)
  for (const row of content['signing_keys'] ?? []) {
    t.match(after.decrypt(row['sealed_private_jwk'] ?? '', `signing key ${row['kid']}`), /"d"/)
  }
  t.equal(content['totp_secrets']?.length, 1)
  for (const row of content['totp_secrets'] ?? [])
    t.equal(after.decrypt(row['encrypted_secret'] ?? '', `totp ${row['id']}`), 'JBSWY3DPEHPK3PXP')
  for (const row of content['sessions'] ?? [])
    t.match(after.decrypt(row['sealed_token'] ?? '', `session ${row['id']}`), /token/)
  for (const key of keys) {
    const entry = content['store']?.find((row) => row['key'] === key)
    t.equal(after.decrypt(entry?.['value'] ?? '', key), 'a value', key)
  }
  t.notMatch(before, newSecret)
})

test('a rewrap that cannot be done is refused in one line and changes nothing', async (t) => {
  const cli = await createCli(t)
  const secret = readFileSync(join(cli.directory, 'secret'), 'utf8')
  const before = databaseContent(cli.directory)
  const rows: [args: string, environment: Record<string, string>, message: RegExp][] = [
    ['', {}, /^Give the new master secret by [^\n]+\n$/],
    ['', { ROLLCALL_NEW_SECRET: 'short' }, /at least 32 characters[^\n]+\n$/],
    ['--new-secret-file /nowhere/secret', {}, /^ENOENT[^\n]+\n$/],
    [
      '',
      { ROLLCALL_NEW_SECRET: newSecret, ROLLCALL_SECRET: 'x'.repeat(40) },
      /^The master secret does not open [^\n]+\n$/,
    ],
  ]
  for (const [args, environment, message] of rows) {
    expectRefusal(t, await cli.run(`keys rewrap ${args}`, { environment }), 1, message)
    t.same(databaseContent(cli.directory), before)
    t.equal(readFileSync(join(cli.directory, 'secret'), 'utf8'), secret)
  }
  await serve(t, cli.directory)
  const environment = { ROLLCALL_NEW_SECRET: newSecret }
  expectRefusal(t, await cli.run('keys rewrap', { environment }), 1, /^A server uses this database[^\n]+\n$/)
  t.same(databaseContent(cli.directory)['signing_keys'], before['signing_keys'])
})

test('a new master secret is kept when the connection breaks during the commit', { skip }, async (t) => {
  const cli = await createCli(t)
  const url = await createPostgres(t)
  await cli.done('copy', { environment: { ROLLCALL_COPY_TO: url } })
  const { port } = new URL(url)
  const proxy = await startProxy(t, Number(port))
  proxy.set('reset at commit')
  const [secret, draft] = [join(cli.directory, 'secret'), join(cli.directory, 'secret.new')]
  const oldSecret = readFileSync(secret, 'utf8')
  const environment = { DATABASE_URL: url.replace(`:${port}/`, `:${proxy.port}/`), ROLLCALL_NEW_SECRET: newSecret }
  const outcome = await cli.run('keys rewrap', { environment })
  expectRefusal(t, outcome, 1, /^PostgreSQL does not answer: [^\n]+secret\.new has been kept, see docs\/keys\.md\.\n$/)
  t.match(outcome.stderr, ` ${draft} `)
  t.equal(proxy.resets(), 1)
  t.equal(readFileSync(secret, 'utf8'), oldSecret)
  t.equal(readFileSync(draft, 'utf8').trim(), newSecret)

  const there = { environment: { DATABASE_URL: url } }
  expectRefusal(t, await cli.run('keys list', there), 1, /^The master secret does not open [^\n]+\n$/)
  renameSync(draft, secret)
  t.match(await cli.done('keys list', there), /signing/, 'the change was committed')
})
