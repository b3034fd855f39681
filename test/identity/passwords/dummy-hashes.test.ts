import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { test } from 'tap'
import { createAlgorithms } from '../../../plugins/identity/passwords/algorithms.js'
import { createDummyHash, createDummyHashes } from '../../../plugins/identity/passwords/dummy-hashes.js'
import { createHashing } from '../../../plugins/identity/passwords/hashing.js'
import { installedDirectory } from '../../helpers/processes/child.js'
import { runCommand } from '../../helpers/processes/command.js'
import { expectProblem } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const { kindOf } = createAlgorithms({ memoryKiB: 19456, passes: 2 })
const cheapArgon2 = '$argon2id$v=19$m=64,t=1,p=1$'
const tail = 'c29tZXNhbHRzb21lc2FsdA$8wVqQoWCLiAo7kRLuw3sDAqQ1xIuaAXSXW0d5LhS6vY'
const bcryptTail = 'abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'

/** The repository of one user of tenant 1 for each hash. */
const usersWith = (hashes: string[]) => {
  const rows = () => hashes.map((passwordHash, index) => ({ id: index + 1, tenantId: 1, passwordHash }))
  return { passwordHashes: async (last: number, limit: number) => rows().slice(last, last + limit) }
}
const repeat = (count: number, hash: string) => Array.from({ length: count }, () => hash)
const kindOfDummy = (dummy: string | undefined) => /^\$2b\$\d\d\$|^\$argon2id\$v=19\$[^$]+\$/.exec(dummy ?? '')?.[0]

test('unknown names get dummies of the kinds in use, in the proportions in use, and keep them', async (t) => {
  const hashes = [
    ...repeat(900, `${cheapArgon2}${tail}`),
    ...repeat(200, `$2a$10$${bcryptTail}`),
    ...repeat(100, `$2y$10$${bcryptTail}`),
    ...repeat(50, `$2b$31$${bcryptTail}`),
    ...repeat(50, '{SSHA}x'),
  ]
  const dummies = createDummyHashes(usersWith(hashes), kindOf, 'a secret')
  t.equal(dummies.of(1, 'alice'), undefined, 'nothing is known before the first count')
  await dummies.count()
  const names = Array.from({ length: 4000 }, (_, index) => `stranger${index}`)
  const counts: Record<string, number> = {}
  for (const name of names) {
    const kind = kindOfDummy(dummies.of(1, name)) ?? 'none'
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  t.same(Object.keys(counts).sort(), ['$2b$10$', cheapArgon2], 'what cannot be verified is no kind')
  const share = (counts['$2b$10$'] ?? 0) / names.length
  t.ok(share > 0.21 && share < 0.29, `a quarter: ${share}`)
  for (const name of names.slice(0, 50)) {
    t.equal(dummies.of(1, name.toUpperCase()), dummies.of(1, name), 'another spelling is the same name')
  }
  t.equal(dummies.of(2, 'stranger0'), undefined, 'other tenants have kinds of their own')
  const others = createDummyHashes(usersWith(hashes), kindOf, 'another secret')
  await others.count()
  t.ok(
    names.some((name) => kindOfDummy(others.of(1, name)) !== kindOfDummy(dummies.of(1, name))),
    'nobody can tell without the secret',
  )
})

test('a long list is counted in several rounds, and hashes that were replaced meanwhile no longer count', async (t) => {
  const hashes = [...repeat(1200, `$2b$10$${bcryptTail}`), ...repeat(300, `${cheapArgon2}${tail}`)]
  const dummies = createDummyHashes(usersWith(hashes), kindOf, 'a secret')
  const names = Array.from({ length: 200 }, (_, index) => `stranger${index}`)
  const kinds = () => [...new Set(names.map((name) => kindOfDummy(dummies.of(1, name))))].sort()
  await dummies.count(700)
  t.same(kinds(), ['$2b$10$'], 'what is known so far')
  for (let round = 0; round < 2; round++) await dummies.count(700)
  t.same(kinds(), ['$2b$10$', cheapArgon2])
  hashes.fill(`${cheapArgon2}${tail}`)
  await dummies.count(700)
  t.same(kinds(), ['$2b$10$', cheapArgon2], 'until all are counted')
  for (let round = 0; round < 2; round++) await dummies.count(700)
  t.same(kinds(), [cheapArgon2])
})

test('a server knows the kinds of hash from its start, and those of an import by a command after a minute', async (t) => {
  const add = async (directory: string, username: string, cost: number) => {
    const file = join(directory, 'people.csv')
    writeFileSync(file, `username,passwordHash\n${username},${await bcrypt('old horse', cost)}\n`)
    t.equal((await runCommand(t, ['user', 'import', file], { directory })).code, 0)
  }
  const data = await installedDirectory(t)
  await add(data, 'early', 4)
  const server = await startServer(t, { data })
  const names = Array.from({ length: 100 }, (_, index) => `stranger${index}`)
  const kinds = () => new Set(names.map((name) => kindOfDummy(server.app.dummyHashes.of(1, name))))
  t.ok(kinds().has('$2b$04$'))
  await add(server.directory, 'late', 5)
  t.notOk(kinds().has('$2b$05$'))
  await server.app.housekeeping.run()
  t.ok(kinds().has('$2b$05$'))
})

test('a dummy is verified like a hash of its kind, and matches nothing', async (t) => {
  const hashing = createHashing({ memoryKiB: 19456, passes: 2, queueLength: 200, minLength: 8, initialDays: 30 })
  t.teardown(() => hashing.close())
  const stranger = { group: 'stranger', fairnessKey: '' } as const
  for (const kind of [cheapArgon2, '$2b$04$', '$2b$08$']) {
    for (let index = 0; index < 20; index++) {
      const dummy = createDummyHash(kind)
      t.ok(hashing.isUsable(dummy), dummy)
      for (const password of ['', userPassword]) t.equal(await hashing.verify(dummy, password, stranger), false)
    }
  }
})

test('names that are unknown, without a password or with a hash of no known form get the work of a dummy', async (t) => {
  const server = await startServer(t)
  const { app } = server
  const add = (username: string, passwordHash: string | null) =>
    app.db.users.add(
      { tenantId: 1, username, realName: username, userType: 2, passwordHash, forcePasswordChange: false },
      0,
    )
  for (let index = 0; index < 5; index++) await add(`imported${index}`, await bcrypt('old horse', 4))
  await add('invited', null)
  await add('legacy', '{SSHA}x')
  await app.dummyHashes.count()
  const given: (string | undefined)[] = []
  const of = app.dummyHashes.of.bind(app.dummyHashes)
  app.dummyHashes.of = (tenantId, name) => {
    const dummy = of(tenantId, name)
    given.push(kindOfDummy(dummy))
    return dummy
  }
  const names = ['invited', 'legacy', 'imported0', ...Array.from({ length: 40 }, (_, index) => `stranger${index}`)]
  for (const username of names) {
    const json = { username, password: 'wrong horse battery' }
    expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_credentials')
  }
  t.equal(given.length, names.length, 'one for each name, so that choosing it tells nothing')
  t.ok(given.filter((kind) => kind === '$2b$04$').length > 25, 'five of six hashes are of bcrypt')
  t.ok(given.includes(cheapArgon2), 'and one is of argon2')
})
