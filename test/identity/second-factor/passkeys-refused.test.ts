import { test } from 'tap'
import type { Reason } from '../../../schemas/problems.js'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { firstStep } from '../../helpers/service/factors.js'
import {
  addPasskey,
  authenticatorOf,
  pageOrigin,
  requestOptions,
  sendCredential,
  sendPasskey,
} from '../../helpers/service/passkeys.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import type { Test } from 'tap'
import type { Deviation, RequestOptions } from '../../../bench/authenticator.js'

const started = async (t: Test) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token })
  return { server, authenticator, token }
}

/** No session has begun, and no cookie of one. */
const expectRefused = async (
  t: Test,
  server: TestServer,
  answer: Awaited<ReturnType<typeof sendCredential>>,
  reason: Reason,
): Promise<void> => {
  expectProblem(t, answer, reason)
  t.notMatch(answer.text, /accessToken|eyJ/)
  t.strictSame(answer.headers.getSetCookie(), [])
  t.equal((await server.app.db.users.findByUsername(1, 'alice'))?.loginCount, 1)
}

interface Row {
  title: string
  deviation: Deviation | ((server: TestServer) => Deviation)
  cause: string | RegExp
}

const rows: Row[] = [
  { title: 'a challenge that was not issued', deviation: { challenge: 'AAAA' }, cause: 'forged challenge' },
  { title: 'an origin of somebody else', deviation: { origin: 'https://evil.example' }, cause: 'another origin' },
  {
    title: 'the same host on another port',
    deviation: { origin: 'http://localhost:1' },
    cause: 'another origin',
  },
  {
    title: 'an IP address in place of the domain',
    deviation: ({ origin }) => ({ origin }),
    cause: 'another origin',
  },
  { title: 'a frame of another site', deviation: { crossOrigin: true }, cause: 'a frame of another origin' },
  { title: 'the ceremony of a registration', deviation: { type: 'webauthn.create' }, cause: 'another ceremony' },
  { title: 'the hash of another rpId', deviation: { rpId: 'evil.example' }, cause: /RP ID/ },
  { title: 'nobody present', deviation: { present: false }, cause: /not present/ },
  { title: 'nobody verified', deviation: { verified: false }, cause: /could not be verified/ },
  { title: 'a wrong signature', deviation: { isForged: true }, cause: /signature/ },
  { title: 'another user handle', deviation: { userHandle: 'AAAA' }, cause: 'another user handle' },
  { title: 'no user handle', deviation: { userHandle: null }, cause: 'another user handle' },
]

test('a sign-in by passkey is refused, and the log says why, with', async (t) => {
  const { server, authenticator } = await started(t)
  for (const { title, deviation, cause } of rows) {
    await t.test(title, async (t) => {
      const before = server.log().length
      const options = await requestOptions(t, server)
      const credential = authenticator.get(options, typeof deviation === 'function' ? deviation(server) : deviation)
      await expectRefused(t, server, await sendCredential(server, credential), 'invalid_grant')
      const lines = server.log().slice(before).split('\n')
      const refused = lines.find((line) => line.includes('"request refused"')) ?? ''
      t.match(JSON.stringify((JSON.parse(refused) as { cause: unknown }).cause), cause)
      t.notOk(server.log().includes(options.challenge), 'the challenge is not in the log')
      t.notOk(server.log().includes(credential.response.signature), 'nor the signature')
    })
  }
})

test('a refused origin is logged with the expected and the received one', async (t) => {
  const { server, authenticator } = await started(t)
  const origin = 'https://evil.example'
  await sendCredential(server, authenticator.get(await requestOptions(t, server), { origin }))
  const line = server
    .log()
    .split('\n')
    .find((text) => text.includes('a passkey of another origin is refused'))
  t.match(JSON.parse(line ?? '{}'), { level: 40, expected: [pageOrigin(server)], received: origin })
})

test('a challenge is good once, for five minutes, and only a success uses it up', async (t) => {
  const { server, authenticator } = await started(t)
  const options = await requestOptions(t, server)
  const forged = authenticator.get(options, { isForged: true })
  expectProblem(t, await sendCredential(server, forged), 'invalid_grant')
  expectSuccess(t, await sendCredential(server, authenticator.get(options)))
  expectProblem(t, await sendCredential(server, authenticator.get(options)), 'invalid_grant')
  const late = await requestOptions(t, server)
  server.clock.advance(299)
  expectSuccess(t, await sendCredential(server, authenticator.get(late)))
  const tooLate = await requestOptions(t, server)
  server.clock.advance(300)
  expectProblem(t, await sendCredential(server, authenticator.get(tooLate)), 'invalid_grant')
})

test('of fifty parallel sign-ins by one credential one succeeds', async (t) => {
  const { server, authenticator } = await started(t)
  const credential = authenticator.get(await requestOptions(t, server))
  const answers = await Promise.all(Array.from({ length: 50 }, () => sendCredential(server, credential)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.strictSame([...new Set(answers.map(({ status }) => status))].sort(), [200, 400])
})

test('strangers who ask for challenges write nothing', async (t) => {
  const server = await startServer(t)
  const database = await connect(server.directory)
  t.teardown(database.close)
  const count = async () =>
    Number((await database.all<{ count: number }>('select count(*) as count from store'))[0]?.count)
  const before = await count()
  for (let tries = 0; tries < 5; tries += 1) await requestOptions(t, server)
  t.equal(await count(), before)
})

test('a challenge serves only the request for which it was made', async (t) => {
  const { server, authenticator, token } = await started(t)
  const ticketOf = async () => (await firstStep(server, 'alice')).body.data.ticket as string
  const [ticket, other] = [await ticketOf(), await ticketOf()]
  const of = async (by: { ticket?: string; token?: string }, more: object) =>
    sendCredential(server, authenticator.get(await requestOptions(t, server, by)), more)
  expectProblem(t, await of({ ticket: other }, { ticket }), 'invalid_grant')
  expectProblem(t, await of({}, { ticket }), 'invalid_grant')
  expectProblem(t, await of({ token }, { ticket }), 'invalid_grant')
  expectProblem(t, await of({ ticket }, {}), 'invalid_grant')
  expectProblem(t, await of({ token }, {}), 'invalid_grant')
  const begun = expectSuccess(t, await server.call('POST', '/auth/factors/passkey/options', { token, json: {} }))
  const registering: RequestOptions = { challenge: begun.challenge, rpId: 'localhost', allowCredentials: [] }
  expectProblem(t, await sendCredential(server, authenticator.get(registering)), 'invalid_grant')
  expectSuccess(t, await of({ ticket }, { ticket }))
})

test('what is no credential, or longer than 16 KiB, is refused', async (t) => {
  const { server, authenticator } = await started(t)
  const credential = authenticator.get(await requestOptions(t, server))
  const { signature, ...response } = credential.response
  const long = (length: number) => ({ ...credential, more: 'x'.repeat(length) })
  const room = 16 * 1024 - JSON.stringify(long(0)).length
  for (const wrong of [
    ...['no JSON', '[]', '5', 'null', 5, true, [], [credential], {}],
    ...[
      { ...credential, response },
      { ...credential, id: 5 },
      { ...credential, type: 'password' },
    ],
    ...[
      { ...credential, rawId: 'other' },
      { ...credential, id: 'a\0b' },
      { ...credential, id: '' },
    ],
    ...[{ ...credential, response: { ...response, signature: 'not base64url!' } }, signature],
    ...[long(room + 1), JSON.stringify(long(room + 1))],
  ]) {
    expectProblem(t, await sendCredential(server, wrong), 'invalid_grant')
  }
  for (const missing of [undefined, null, ''])
    expectProblem(t, await sendCredential(server, missing), 'invalid_request', ['credential'])
  expectSuccess(t, await sendCredential(server, long(room)))
})

test('only a credential that does not exist is unknown', async (t) => {
  const { server, authenticator } = await started(t)
  const stranger = authenticatorOf(server)
  stranger.create({ challenge: '', rp: { id: 'localhost' }, user: { id: 'AAAA' } })
  const unknown = async () => sendCredential(server, stranger.get(await requestOptions(t, server)))
  await expectRefused(t, server, await unknown(), 'unknown_credential')
  const own = async () => sendCredential(server, authenticator.get(await requestOptions(t, server)))
  await server.operator.setEnabled('alice', false)
  expectProblem(t, await own(), 'account_disabled')
  const forged = authenticator.get(await requestOptions(t, server), { isForged: true })
  expectProblem(t, await sendCredential(server, forged), 'invalid_grant')
  await server.operator.setEnabled('alice', true)
  const database = await connect(server.directory)
  t.teardown(database.close)
  await database.run("update passkeys set rp_id = 'old.example.com'")
  expectProblem(t, await own(), 'invalid_grant')
  const first = await firstStep(server, 'alice')
  t.strictSame(first.body.data.methods, ['recovery'], 'a passkey of another domain finishes no sign-in')
})

test('the ticket of one account is not finished by the passkey of another, and dies at the fifth wrong one', async (t) => {
  const { server, authenticator } = await started(t)
  await server.addUser('bob')
  const ofBob = authenticatorOf(server)
  await addPasskey(t, server, ofBob, { token: (await server.signIn('bob')).accessToken })
  const { ticket } = (await firstStep(server, 'alice')).body.data
  for (let tries = 0; tries < 5; tries += 1) {
    const credential = ofBob.get({ ...(await requestOptions(t, server, { ticket })), allowCredentials: [] })
    await expectRefused(t, server, await sendCredential(server, credential, { ticket }), 'invalid_grant')
  }
  const ended = await server.call('POST', '/auth/passkey/options', { json: { ticket } })
  expectProblem(t, ended, 'invalid_grant')
  const fresh = (await firstStep(server, 'alice')).body.data.ticket
  const credential = authenticator.get(await requestOptions(t, server, { ticket: fresh }))
  expectSuccess(t, await sendCredential(server, credential, { ticket: fresh }))
})

test('a registration is refused with', async (t) => {
  const { server, token } = await started(t)
  const wrong: { title: string; deviation: Deviation }[] = [
    { title: 'a challenge that was not issued', deviation: { challenge: 'AAAA' } },
    { title: 'a foreign origin', deviation: { origin: 'https://evil.example' } },
    { title: 'a frame of another site', deviation: { crossOrigin: true } },
    { title: 'another ceremony', deviation: { type: 'webauthn.get' } },
    { title: 'another rpId', deviation: { rpId: 'evil.example' } },
    { title: 'nobody present', deviation: { present: false } },
    {
      title: 'an attestation with certificates, which may name addresses to be asked',
      deviation: {
        attestation: [
          ['alg', -7],
          ['sig', Buffer.alloc(8)],
          ['x5c', [['a', 'b']]],
        ],
      },
    },
    {
      title: 'an attestation that is not right',
      deviation: {
        attestation: [
          ['alg', -7],
          ['sig', Buffer.alloc(8)],
        ],
      },
    },
  ]
  for (const { title, deviation } of wrong) {
    await t.test(title, async (t) => {
      const answer = await sendPasskey(t, server, authenticatorOf(server), { token, deviation })
      expectProblem(t, answer, 'invalid_grant')
      t.notMatch(answer.text, /recoveryCodes|factor/)
    })
  }
  t.equal(
    (await server.app.db.passkeys.ofUser((await server.app.db.users.findByUsername(1, 'alice'))?.id ?? 0)).length,
    1,
  )
})

test('a credential id that anybody has is refused, and so is the 21st passkey', async (t) => {
  const { server, authenticator, token } = await started(t)
  await server.addUser('bob')
  const { accessToken: ofBob } = await server.signIn('bob')
  const id = authenticator.keys[0]?.id ?? Buffer.alloc(0)
  for (const holder of [token, ofBob]) {
    const answer = await sendPasskey(t, server, authenticatorOf(server), { token: holder, id })
    expectProblem(t, answer, 'factor_exists')
  }
  t.notOk((await server.app.db.users.findByUsername(1, 'bob'))?.hasSecondFactor)
  for (let count = 1; count < 20; count += 1) await addPasskey(t, server, authenticatorOf(server), { token })
  const begun = await server.call('POST', '/auth/factors/passkey/options', { token, json: {} })
  expectProblem(t, begun, 'factor_limit_reached')
})

test('names of passkeys are visible, and without an access right nothing begins', async (t) => {
  const { server, authenticator, token } = await started(t)
  const invisible = await sendPasskey(t, server, authenticator, { token, name: '\u0007' })
  expectProblem(t, invisible, 'invalid_request', ['name'])
  for (const path of ['/auth/factors/passkey/options', '/auth/factors/passkey'])
    t.equal((await server.call('POST', path, { json: { credential: {} } })).status, 401)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const answer = await server.call('POST', '/auth/factors/passkey/options', { json: { ticket } })
  expectProblem(t, answer, 'invalid_grant')
})
