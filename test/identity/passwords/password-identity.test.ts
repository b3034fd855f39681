import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type CallOptions } from '../../helpers/service/server.js'

const start = async (t: Parameters<typeof startServer>[0], password: string) => {
  const server = await startServer(t, {
    hasRealHashes: true,
    settings: { captcha: { mode: 'never' }, lockout: { nameFailures: 100 } },
  })
  await server.addUser('alice', { password })
  const send = (options: CallOptions) => server.call('POST', '/auth/login', options)
  return {
    server,
    json: (typed: string) => send({ json: { username: 'alice', password: typed } }),
    form: (typed: string) => send({ form: { username: 'alice', password: typed } }),
  }
}

test('P2: the whole password counts, to the last of 128 characters', async (t) => {
  const password = 'abcdefgh'.repeat(15) + 'ijklmnop'
  const alice = await start(t, password)
  t.equal(password.length, 128)
  expectSuccess(t, await alice.json(password))
  const rows: [sentence: string, typed: string][] = [
    ['another last character', `${password.slice(0, -1)}q`],
    ['the last character missing', password.slice(0, -1)],
    ['one character more', `${password}q`],
    ['another character in position 73', `${password.slice(0, 72)}X${password.slice(73)}`],
    ['only the first 72', password.slice(0, 72)],
    ['capitals', password.toUpperCase()],
  ]
  for (const [sentence, typed] of rows) {
    await t.test(sentence, async (t) => {
      expectProblem(t, await alice.json(typed), 'invalid_credentials')
    })
  }
})

test('P2: spaces count, at the ends too, in JSON and in a form', async (t) => {
  const password = ' brass kettle '
  const alice = await start(t, password)
  for (const send of [alice.json, alice.form]) {
    expectSuccess(t, await send(password))
    for (const typed of ['brass kettle', 'brass kettle ', ' brass kettle', '  brass kettle ', ' brasskettle ']) {
      expectProblem(t, await send(typed), 'invalid_credentials')
    }
  }
})

test('P3: a password is the same however its characters are composed', async (t) => {
  const composed = 'crème brûlée'.normalize('NFC')
  const decomposed = composed.normalize('NFD')
  t.not(composed, decomposed)
  const rows: [sentence: string, stored: string, typed: string][] = [
    ['stored composed, typed decomposed', composed, decomposed],
    ['stored decomposed, typed composed', decomposed, composed],
    ['stored in full width, typed on a plain keyboard', 'ｂｒａｓｓ　ｋｅｔｔｌｅ', 'brass kettle'],
  ]
  for (const [sentence, stored, typed] of rows) {
    await t.test(sentence, async (t) => {
      const alice = await start(t, stored)
      expectSuccess(t, await alice.json(stored))
      expectSuccess(t, await alice.json(typed))
      expectSuccess(t, await alice.form(typed))
      expectProblem(t, await alice.json(typed.replace(/[ées]/, 'x')), 'invalid_credentials')
    })
  }
})

test('the current password in another composition is no new password', async (t) => {
  const composed = 'crème brûlée'.normalize('NFC')
  const { server } = await start(t, composed)
  const { accessToken: token } = await server.signIn('alice', composed)
  const json = { oldPassword: composed, newPassword: composed.normalize('NFD') }
  const answer = await server.call('POST', '/auth/changePassword', { json, token })
  expectProblem(t, answer, 'invalid_request', ['newPassword'])
  t.match(answer.body.data.violations[0].message, /current/)
})

test('P8: equal passwords are stored differently, as argon2id of at least the floor', async (t) => {
  const { server } = await start(t, 'brass kettle')
  await server.addUser('bob', { password: 'brass kettle' })
  const hashes = []
  for (const name of ['alice', 'bob']) hashes.push((await server.app.db.users.findByUsername(1, name))?.passwordHash)
  t.not(hashes[0], hashes[1])
  for (const hash of hashes) {
    const [, memory, passes] =
      /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[\w+/]{22,}\$[\w+/]{43,}$/.exec(hash ?? '') ?? []
    t.ok(Number(memory) >= 19_456 && Number(passes) >= 2, 'argon2id, 19 MiB, two passes')
  }
})
