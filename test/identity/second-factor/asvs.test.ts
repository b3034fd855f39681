import { createHash } from 'node:crypto'
import { test, type Test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, enrol, firstStep, secondStep, stepLength } from '../../helpers/service/factors.js'
import { addPasskey, authenticatorOf, requestOptions } from '../../helpers/service/passkeys.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

/** Requirements of ASVS 5.0 that no other test of factors shows: docs/second-factor.md has the list. */
const start = async (t: Test) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  return { server, token }
}

/** Texts of one length differ from each other at nearly every place, as random ones do: nothing counts up, nothing is constant. */
const expectRandom = (t: Test, texts: string[], name: string): void => {
  t.equal(new Set(texts).size, texts.length, `${name}: all different`)
  const [first = ''] = texts
  const constant = [...first].filter(
    (character, place) => character !== '-' && texts.every((text) => text[place] === character),
  )
  t.strictSame(constant, [], `${name}: no place is the same in all`)
}

test('secrets of apps, recovery codes and tickets are random, and long enough (ASVS 6.5.3)', async (t) => {
  const { server, token } = await start(t)
  const secrets: string[] = []
  for (let count = 0; count < 50; count++) {
    const begun = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }))
    t.match(begun.secret, /^[A-Z2-7]{32}$/, '160 bits')
    secrets.push(begun.secret)
  }
  expectRandom(t, secrets, 'secrets')
  const app = await enrol(t, server, token)
  const codes = [...app.recoveryCodes]
  for (let count = 0; count < 4; count++) {
    const made = expectSuccess(t, await server.call('POST', '/auth/factors/recovery-codes', { token }))
    codes.push(...made.recoveryCodes)
  }
  expectRandom(t, codes, 'recovery codes')
  const tickets: string[] = []
  for (let count = 0; count < 20; count++) tickets.push((await firstStep(server, 'alice')).body.data.ticket)
  expectRandom(t, tickets, 'tickets')
})

test('of recovery codes, which have 120 random bits, only hashes are stored (ASVS 6.5.2)', async (t) => {
  const { server, token } = await start(t)
  const { recoveryCodes } = await enrol(t, server, token)
  const connection = await connect(server.directory)
  t.teardown(() => connection.close())
  const rows = await connection.all('select user_id, code_hash from recovery_codes')
  const hashOf = (code: string) =>
    createHash('sha256')
      .update(`${rows[0]?.user_id} ${code.replaceAll('-', '')}`)
      .digest('base64url')
  t.strictSame(rows.map(({ code_hash }) => code_hash).sort(), recoveryCodes.map(hashOf).sort())
  for (const code of recoveryCodes) {
    const bits = code.replaceAll('-', '').length * Math.log2(32)
    t.ok(bits >= 112, `${bits} bits`)
  }
})

test('the time of an app is that of the server, whatever the client says (ASVS 6.5.8)', async (t) => {
  const { server, token } = await start(t)
  const app = await enrol(t, server, token)
  const later = server.clock.now() + 10 * stepLength * 1000
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const headers = { date: new Date(later).toUTCString(), 'x-time': String(later) }
  const json = { ticket, code: codeAt(app.secret, later), timestamp: later, time: later, now: later }
  expectProblem(t, await secondStep(server, json, headers), 'invalid_code')
  expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }, headers))
})

test('each challenge of a passkey has 128 bits that no other one has (ASVS 6.7.2)', async (t) => {
  const { server } = await start(t)
  const nonces: string[] = []
  for (let count = 0; count < 50; count++) {
    const { challenge } = await requestOptions(t, server)
    const [nonce = ''] = Buffer.from(challenge, 'base64url').toString().split('|')
    t.equal(Buffer.from(nonce, 'base64url').length * 8, 128)
    nonces.push(nonce)
  }
  expectRandom(t, nonces, 'nonces')
})

/** What an answer says, without what each answer has of its own. */
const shapeOf = ({ status, body }: Awaited<ReturnType<typeof firstStep>>) => {
  const { code, message, data } = body
  return { status, code, message, data }
}

const optionsFor = async (t: Test, server: TestServer, json: object) => {
  const { challenge, ...rest } = expectSuccess(t, await server.call('POST', '/auth/passkey/options', { json }))
  t.ok(challenge)
  return rest
}

test('a stranger does not learn who exists, or who has which factor (ASVS 6.3.8)', async (t) => {
  const { server, token } = await start(t)
  await addPasskey(t, server, authenticatorOf(server), { token })
  await enrol(t, server, token, { name: 'Phone' })
  await server.addUser('bob')
  const wrong = async (username: string) => {
    const answer = await firstStep(server, username, { json: { password: 'wrong horse battery' } })
    expectProblem(t, answer, 'invalid_credentials')
    return shapeOf(answer)
  }
  const unknown = await wrong('nobody')
  for (const username of ['alice', 'bob']) t.strictSame(await wrong(username), unknown, username)
  const options = await optionsFor(t, server, {})
  for (const json of [{ username: 'alice' }, { username: 'nobody' }]) {
    t.strictSame(await optionsFor(t, server, json), options)
    t.strictSame(options.allowCredentials, [])
  }
})
