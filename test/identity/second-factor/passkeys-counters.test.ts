import { test, type Test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import { bodyOf, startMailServer } from '../../helpers/peers/mail-server.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { addPasskey, authenticatorOf, passkeySignIn } from '../../helpers/service/passkeys.js'
import { startServer } from '../../helpers/service/server.js'
import type { Deviation } from '../../../bench/authenticator.js'

const started = async (t: Test, made: Deviation, settings: object = {}) => {
  const server = await startServer(t, { settings: { ...settings } })
  await server.addUser('alice', { email: 'alice@example.com' })
  const authenticator = authenticatorOf(server)
  const { accessToken: token } = await server.signIn('alice')
  const { factor } = await addPasskey(t, server, authenticator, { token, name: 'My key', deviation: made })
  return { server, authenticator, token, factor }
}

for (const { title, made, counters } of [
  { title: 'a counter that stays 0', made: { counter: 0 }, counters: [0, 0] },
  { title: 'a counter that grows', made: { counter: 5 }, counters: [6, 7, 100] },
  { title: 'of a synced passkey, a counter that stays 0', made: { eligible: true, counter: 0 }, counters: [0, 0] },
  {
    title: 'of a synced passkey, a counter that goes back',
    made: { eligible: true, counter: 9 },
    counters: [10, 3, 0, 3],
  },
]) {
  test(`${title} signs in`, async (t) => {
    const { server, authenticator } = await started(t, made)
    for (const counter of counters)
      expectSuccess(t, await passkeySignIn(t, server, authenticator, { ...made, counter }))
  })
}

for (const { title, made, counter } of [
  { title: 'stays', made: 5, counter: 5 },
  { title: 'goes back', made: 5, counter: 4 },
  { title: 'becomes 0', made: 5, counter: 0 },
]) {
  test(`a passkey of one device whose counter ${title} is refused: log, audit trail and mail say so`, async (t) => {
    const mail = await startMailServer(t)
    const { server, authenticator, factor } = await started(
      t,
      { counter: made },
      { mail: { url: mail.url, newDevice: false } },
    )
    expectProblem(t, await passkeySignIn(t, server, authenticator, { counter }), 'invalid_grant')
    const line = server
      .log()
      .split('\n')
      .find((text) => text.includes('a passkey that may have been copied is refused'))
    t.match(JSON.parse(line ?? '{}'), { level: 40, passkey: factor.id, stored: made, received: counter })
    const admin = await server.signIn()
    const trail = await server.call('GET', '/system/audit/page', {
      token: admin.accessToken,
      query: { action: 'user.passkey' },
    })
    const [record, ...others] = expectSuccess(t, trail).records
    t.equal(others.length, 0)
    t.match(record, {
      targetName: 'alice',
      after: { kind: 'passkey', name: 'My key', stored: made, received: counter },
    })
    await server.app.notices.finish()
    const sent = mail.mails.filter(({ raw }) =>
      /somebody\s+may\s+have\s+a\s+copy\s+of\s+it:\s+My\s+key/.test(bodyOf(raw)),
    )
    t.equal(sent.length, 1)
    expectSuccess(t, await passkeySignIn(t, server, authenticator, { counter: made + 1 }))
  })
}

test('of two sign-ins at once with one counter one is refused', async (t) => {
  const { server, authenticator } = await started(t, { counter: 5 })
  const answers = await Promise.all([1, 2].map(() => passkeySignIn(t, server, authenticator, { counter: 6 })))
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 400])
})

test('the last way to sign in stays', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const authenticator = authenticatorOf(server)
  const { accessToken: token } = await server.signIn('alice')
  const { factor } = await addPasskey(t, server, authenticator, { token })
  const database = await connect(server.directory)
  t.teardown(database.close)
  await database.run("update users set password_hash = null where username = 'alice'")
  const remove = (id: string) => server.call('DELETE', `/auth/factors/${id}`, { token })
  expectProblem(t, await remove(factor.id), 'last_sign_in_method')
  const second = authenticatorOf(server)
  const added = await addPasskey(t, server, second, { token })
  expectSuccess(t, await remove(factor.id))
  expectProblem(t, await remove(added.factor.id), 'last_sign_in_method')
  expectProblem(t, await passkeySignIn(t, server, authenticator), 'unknown_credential')
  expectSuccess(t, await passkeySignIn(t, server, second))
})
