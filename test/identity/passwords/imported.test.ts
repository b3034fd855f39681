import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { test, type Test } from 'tap'
import { parallel } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

const password = 'plain green teapot'

/** A server with the user alice, whose hash was made elsewhere. */
const start = async (t: Test, passwordHash: string) => {
  const server = await startServer(t, { hasRealHashes: true })
  const { id } = await server.app.db.users.add(
    { tenantId: 1, username: 'alice', realName: 'Alice', userType: 2, passwordHash, forcePasswordChange: false },
    server.clock.now(),
  )
  const signIn = (text = password) =>
    server.call('POST', '/auth/login', { json: { username: 'alice', password: text } })
  const storedHash = async () => (await server.app.db.users.find(id))?.passwordHash ?? ''
  return { server, signIn, storedHash }
}

for (const prefix of ['$2a$', '$2b$', '$2y$']) {
  test(`P9: a bcrypt hash ${prefix} signs in and becomes argon2id`, async (t) => {
    const imported = (await bcrypt(password, 10)).replace(/^\$2[aby]\$/, prefix)
    const { signIn, storedHash } = await start(t, imported)
    expectProblem(t, await signIn('plain green teapo'), 'invalid_credentials')
    t.equal(await storedHash(), imported, 'a wrong password changes nothing')
    expectSuccess(t, await signIn())
    t.match(await storedHash(), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expectSuccess(t, await signIn())
    expectProblem(t, await signIn('plain green teapo'), 'invalid_credentials')
  })
}

test('P9: a weaker argon2id hash is replaced, a stronger one is left alone', async (t) => {
  for (const [memoryCost, isKept] of [
    [8192, false],
    [32768, true],
  ] as const) {
    const imported = await argon2(password, { memoryCost, timeCost: 2 })
    const { signIn, storedHash } = await start(t, imported)
    expectSuccess(t, await signIn())
    t.equal((await storedHash()) === imported, isKept, `m=${memoryCost}`)
  }
})

test('parallel first sign-ins all succeed, whoever strengthens the hash', async (t) => {
  const { signIn } = await start(t, await bcrypt(password, 10))
  for (const answer of await parallel(5, () => signIn())) expectSuccess(t, answer)
})

test('P9: a sign-in succeeds though the weak hash cannot be replaced', async (t) => {
  const imported = await bcrypt(password, 10)
  const { server, signIn, storedHash } = await start(t, imported)
  server.app.db.users.rehash = () => Promise.reject(new Error('disk full'))
  expectSuccess(t, await signIn())
  t.equal(await storedHash(), imported)
  t.match(server.log(), /could not replace a weak password hash/)
})

test('P2: a bcrypt hash of 72 bytes does not match a longer password that begins with them', async (t) => {
  const long = 'x'.repeat(72)
  const { signIn } = await start(t, await bcrypt(long, 10))
  expectProblem(t, await signIn(`${long}y`), 'invalid_credentials')
  expectSuccess(t, await signIn(long))
})

for (const [name, hash] of [
  [
    'argon2id with 4 GiB',
    '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$8wVqQoWCLiAo7kRLuw3sDAqQ1xIuaAXSXW0d5LhS6vY',
  ],
  ['bcrypt with cost 31', '$2b$31$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'],
  ['an unknown form', '{SSHA}x'],
  ['plain text', password],
] as const) {
  test(`P10: ${name} as a stored hash opens nothing and stops nothing`, async (t) => {
    const { server, signIn } = await start(t, hash)
    const begin = performance.now()
    expectProblem(t, await signIn(), 'invalid_credentials')
    t.ok(performance.now() - begin < 2000)
    expectSuccess(t, await server.call('GET', '/health/ready'))
  })
}
