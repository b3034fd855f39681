import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { settingPaths } from '../../helpers/service/installation.js'

const valuePaths = (value: unknown, prefix = ''): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => valuePaths(inner, `${prefix}${name}.`))
    : [prefix.slice(0, -1)]

const permissions = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('the first start writes every setting into config.json, but for the country of phone numbers, which is to be chosen', (t) => {
  const directory = emptyDirectory(t)
  const { settings } = openInstallation({ DATA_DIR: directory }, { create: true })
  const text = readFileSync(join(directory, 'config.json'), 'utf8')
  const written = JSON.parse(text) as unknown
  const expected = settingPaths().filter((name) => name !== 'phoneRegion')
  t.same(valuePaths(written), expected, 'every other setting of the schema, in its order')
  t.same(settings, { ...(written as object), phoneRegion: 'CN' })
  t.match(text, /^\{\n {2}"host": "127\.0\.0\.1",\n/, 'readable by people')
  t.ok(text.endsWith('}\n'))
  for (const client of ['pc', 'app', 'h5', 'wechat']) {
    for (const lifetime of ['accessTtl', 'idleTtl', 'maxTtl', 'maxSessions']) {
      t.match(settings.clients, { [client]: { [lifetime]: Number } }, `${client} has ${lifetime}`)
    }
  }
  t.end()
})

test('only the owner can read what the first start writes', (t) => {
  const directory = emptyDirectory(t)
  openInstallation({ DATA_DIR: directory }, { create: true })
  t.equal(permissions(directory), '700')
  t.equal(permissions(join(directory, 'secret')), '600')
  t.equal(permissions(join(directory, 'config.json')), '600')
  t.end()
})

test('the master secret is random, long, and not part of the configuration', (t) => {
  const secrets = [emptyDirectory(t), emptyDirectory(t)].map((directory) => {
    const { secret } = openInstallation({ DATA_DIR: directory }, { create: true })
    t.equal(readFileSync(join(directory, 'secret'), 'utf8').trim(), secret)
    t.notMatch(readFileSync(join(directory, 'config.json'), 'utf8'), secret)
    t.ok(Buffer.from(secret, 'base64url').length >= 32, 'at least 256 bits')
    return secret
  })
  t.not(secrets[0], secrets[1])
  t.end()
})

for (const content of ['{}', '{ "publicUrl": "https://id.example.com" }']) {
  test(`a first start with ${content} as its configuration makes a secret, and keeps it`, (t) => {
    const directory = emptyDirectory(t)
    mkdirSync(directory)
    const file = join(directory, 'config.json')
    writeFileSync(file, content)
    const { secret } = openInstallation({ DATA_DIR: directory }, { create: true })
    t.ok(secret.length >= 32)
    t.equal(readFileSync(join(directory, 'secret'), 'utf8').trim(), secret)
    t.equal(permissions(join(directory, 'secret')), '600')
    t.equal(openInstallation({ DATA_DIR: directory }, { create: true }).secret, secret)
    t.equal(readFileSync(file, 'utf8'), content, 'the configuration stays as it is')
    t.end()
  })
}

test('a secret of the environment is used and written nowhere', (t) => {
  const directory = emptyDirectory(t)
  const secret = 'an-environment-secret-of-many-characters'
  const environment = { DATA_DIR: directory, ROLLCALL_SECRET: secret }
  t.equal(openInstallation(environment, { create: true }).secret, secret)
  t.notOk(existsSync(join(directory, 'secret')))
  t.notMatch(readFileSync(join(directory, 'config.json'), 'utf8'), secret)
  t.end()
})

test('what the environment says is not written into config.json', (t) => {
  const directory = emptyDirectory(t)
  const { settings } = openInstallation({ DATA_DIR: directory, PORT: '4321' }, { create: true })
  t.equal(settings.port, 4321)
  t.equal(openInstallation({ DATA_DIR: directory }, { create: false }).settings.port, 3000)
  t.end()
})

test('a second start changes nothing on disk', (t) => {
  const directory = emptyDirectory(t)
  const read = () => ['config.json', 'secret'].map((name) => readFileSync(join(directory, name), 'utf8'))
  const first = openInstallation({ DATA_DIR: directory }, { create: true })
  const before = read()
  t.same(openInstallation({ DATA_DIR: directory }, { create: true }), first)
  t.same(read(), before)
  t.end()
})

test('a first start goes into a directory that is there already, and keeps what is in it', (t) => {
  const directory = emptyDirectory(t)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'note.txt'), 'mine')
  openInstallation({ DATA_DIR: directory }, { create: true })
  t.equal(readFileSync(join(directory, 'note.txt'), 'utf8'), 'mine')
  t.equal(permissions(join(directory, 'secret')), '600')
  t.end()
})

test('without `create` a directory that is not installed is refused, and stays away', (t) => {
  const directory = emptyDirectory(t)
  const open = () => openInstallation({ DATA_DIR: directory }, { create: false })
  t.throws(open, { message: /rollcall init/ }, 'says what to do')
  t.throws(open, { message: new RegExp(directory) }, 'says where')
  t.notOk(existsSync(directory))
  t.end()
})
