import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { installed, refusal } from '../../helpers/service/installation.js'

test('all faults are in one message, each with its place', (t) => {
  const DATA_DIR = installed(t, (all) => ({ ...all, colour: 1, issuer: '', captcha: { mode: 'often', size: 3 } }))
  writeFileSync(join(DATA_DIR, 'secret'), 'tiny-secret')
  const { faults, message } = refusal(t, { DATA_DIR, PORT: 'x', ROLLCALL_NOPE: '1', REDIS_URL: 'http://h' })
  const names = [
    'PORT',
    'REDIS_URL',
    'ROLLCALL_NOPE',
    'captcha.mode',
    'captcha.size',
    'colour',
    'issuer',
    'the master secret',
  ]
  t.same(faults.map((fault) => fault.name).sort(), names)
  t.match(message, /^Rollcall does not start: 8 settings are wrong\.$/m)
  for (const name of names)
    t.equal(message.split('\n').filter((line) => line.startsWith(`  ${name} (`)).length, 1, name)
  t.notMatch(message, 'tiny-secret')
  t.end()
})

test('a wrong value of the environment is not blamed on the file, nor the other way round', (t) => {
  const DATA_DIR = installed(t, (all) => ({ ...all, port: 'x', logLevel: 'loud' }))
  const { faults } = refusal(t, { DATA_DIR, PORT: '3000', LOG_LEVEL: 'louder' })
  t.same(
    faults.map(({ name, source }) => [name, source]),
    [['LOG_LEVEL', 'environment']],
  )
  t.end()
})

test('at a first start too all faults are in one message, and nothing is created', (t) => {
  const DATA_DIR = emptyDirectory(t)
  const variables = { PORT: 'x', LOG_LEVEL: 'loud', ROLLCALL_NOPE: '1', ROLLCALL_SECRET: 'tiny-secret' }
  const { faults, message } = refusal(t, { DATA_DIR, ...variables })
  t.same(faults.map((fault) => fault.name).sort(), ['LOG_LEVEL', 'PORT', 'ROLLCALL_NOPE', 'ROLLCALL_SECRET'])
  t.ok(faults.every((fault) => fault.source === 'environment'))
  t.notMatch(message, 'tiny-secret')
  t.notOk(existsSync(DATA_DIR))
  t.end()
})

/** Cannot be read, whoever asks; a mode does not stop the administrator of the machine. */
const makeFolder = (path: string) => {
  rmSync(path)
  mkdirSync(path)
}

/** While there is no database yet, a secret is made. */
const remove = (path: string) => {
  rmSync(path)
  writeFileSync(join(path, '../rollcall.db'), '')
}

for (const [sentence, spoil, message] of [
  ['missing', remove, /is missing; restore the file, or set ROLLCALL_SECRET/],
  ['empty', (path: string) => writeFileSync(path, '\n'), /at least 32 characters/],
  ['short', (path: string) => writeFileSync(path, 'tiny-secret'), /at least 32 characters/],
  ['unreadable', makeFolder, /cannot be read/],
] as const) {
  test(`a master secret that is ${sentence} is refused, and no other is made`, (t) => {
    const DATA_DIR = installed(t)
    const path = join(DATA_DIR, 'secret')
    spoil(path)
    const { faults, message: text } = refusal(t, { DATA_DIR })
    t.same(
      faults.map((fault) => [fault.name, fault.source]),
      [['the master secret', path]],
    )
    t.match(faults[0]?.message, message)
    t.notMatch(text, 'tiny-secret')
    t.equal(existsSync(path), sentence !== 'missing')
    t.end()
  })
}

test('for a database on PostgreSQL no secret is made: another one may have encrypted what is in it', (t) => {
  const DATA_DIR = installed(t)
  const path = join(DATA_DIR, 'secret')
  rmSync(path)
  const { faults } = refusal(t, { DATA_DIR, DATABASE_URL: 'postgres://127.0.0.1/rollcall' })
  t.match(faults, [{ name: 'the master secret', message: /is missing; .*openssl rand/ }])
  t.notOk(existsSync(path))
  t.end()
})

for (const weak of ['short', 'password1', 'admin-admin', 'Rollcall 1']) {
  test(`the weak ROLLCALL_ADMIN_PASSWORD ${weak} is refused at the first start, and nothing is created`, (t) => {
    const DATA_DIR = emptyDirectory(t)
    const error = refusal(t, { DATA_DIR, ROLLCALL_ADMIN_PASSWORD: weak })
    t.same(
      error.faults.map((fault) => [fault.name, fault.source]),
      [['ROLLCALL_ADMIN_PASSWORD', 'environment']],
    )
    t.notMatch(error.message, weak)
    t.notOk(existsSync(DATA_DIR))
    t.end()
  })
}

test('a data directory that cannot be made is refused with the reason', (t) => {
  const base = emptyDirectory(t)
  writeFileSync(base, 'a file')
  const error = refusal(t, { DATA_DIR: join(base, 'inside') })
  t.match(error.faults[0], { name: 'DATA_DIR', source: join(base, 'inside') })
  t.end()
})
