import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { authenticatorOf, sendPasskey } from '../../helpers/service/passkeys.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { parallel, tally } from '../../helpers/values/compare.js'

const start = async (t: Test) => {
  const server = await startServer(t, { settings: { secondFactor: { policy: 'required', graceDays: 0 } } })
  const { id } = await server.addUser('alice')
  const ticketOf = async () => (await firstStep(server, 'alice')).body.data.ticket as string
  return { server, id, ticketOf }
}

const begin = async (t: Test, server: TestServer, by: { ticket?: string; token?: string }) => {
  const { ticket, token } = by
  const sent = { json: ticket === undefined ? {} : { ticket }, ...(token === undefined ? {} : { token }) }
  return expectSuccess(t, await server.call('POST', '/auth/factors/totp', sent))
}

const confirm = (
  server: TestServer,
  { ticket, token }: { ticket?: string; token?: string },
  { key, secret }: { key: string; secret: string },
) =>
  server.call('POST', '/auth/factors/totp/confirm', {
    json: { ...(ticket === undefined ? {} : { ticket }), key, code: codeAt(secret, server.clock.now()) },
    ...(token === undefined ? {} : { token }),
  })

const countOf = async ({ app: { db } }: TestServer, id: number) =>
  (await db.totpSecrets.ofUser(id)).length + (await db.passkeys.ofUser(id)).length

test('a ticket to set a factor up is void when the owner has set one up, also where the set-up had begun', async (t) => {
  const { server, id, ticketOf } = await start(t)
  const [ofThief, begunByThief, ofOwner] = [await ticketOf(), await ticketOf(), await ticketOf()]
  const early = await begin(t, server, { ticket: begunByThief })
  const authenticator = authenticatorOf(server)
  const options = { json: { ticket: begunByThief } }
  const creation = expectSuccess(t, await server.call('POST', '/auth/factors/passkey/options', options))
  const { session } = expectSuccess(
    t,
    await confirm(server, { ticket: ofOwner }, await begin(t, server, { ticket: ofOwner })),
  )
  for (const path of ['totp', 'passkey/options'])
    expectProblem(t, await server.call('POST', `/auth/factors/${path}`, { json: { ticket: ofThief } }), 'invalid_grant')
  expectProblem(t, await confirm(server, { ticket: begunByThief }, early), 'invalid_grant')
  const credential = authenticator.create(creation)
  const registered = await server.call('POST', '/auth/factors/passkey', { json: { ticket: begunByThief, credential } })
  expectProblem(t, registered, 'invalid_grant')
  t.equal(await countOf(server, id), 1)
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: session.accessToken }))
})

test('of six tickets that are confirmed at once one makes a factor', async (t) => {
  const { server, id, ticketOf } = await start(t)
  const tickets: string[] = []
  for (let index = 0; index < 6; index++) tickets.push(await ticketOf())
  const begun = await parallel(6, (index) => begin(t, server, { ticket: tickets[index] ?? '' }))
  const answers = await parallel(6, (index) => confirm(server, { ticket: tickets[index] ?? '' }, begun[index] as never))
  t.same(tally(answers), { 200: 1, invalid_grant: 5 })
  t.equal(await countOf(server, id), 1)
  t.equal(await server.app.db.recoveryCodes.left(id), 10)
})

test('a ticket is void after the password or the factors have changed, in both directions', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const app = await enrol(t, server, token)
  const ticketOf = async () => (await firstStep(server, 'alice')).body.data.ticket as string
  const early = await ticketOf()
  const second = await enrol(t, server, token, { name: 'Tablet' })
  expectProblem(t, await secondStep(server, { ticket: early, code: app.nextCode() }), 'invalid_grant')
  const late = await ticketOf()
  expectSuccess(t, await server.call('DELETE', `/auth/factors/${second.id}`, { token }))
  expectProblem(t, await secondStep(server, { ticket: late, code: app.nextCode() }), 'invalid_grant')
  expectSuccess(t, await secondStep(server, { ticket: await ticketOf(), code: app.nextCode() }))
})

test('a first factor that a session has begun with the password is void when another one was set up meanwhile', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const early = await begin(t, server, { token })
  const authenticator = authenticatorOf(server)
  const creation = expectSuccess(t, await server.call('POST', '/auth/factors/passkey/options', { token, json: {} }))
  await enrol(t, server, token)
  server.clock.advance(601)
  expectProblem(t, await confirm(server, { token }, early), 'invalid_grant')
  const credential = authenticator.create(creation)
  expectProblem(t, await server.call('POST', '/auth/factors/passkey', { token, json: { credential } }), 'invalid_grant')
  t.equal(await countOf(server, id), 1)
})

test('a first factor that was begun before a change of the password is void', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const early = await begin(t, server, { token })
  const json = { oldPassword: userPassword, newPassword: 'violet umbrella stand' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json }))
  expectProblem(t, await confirm(server, { token }, early), 'invalid_grant')
  t.equal(await countOf(server, id), 0)
  expectSuccess(t, await confirm(server, { token }, await begin(t, server, { token })))
})

test('a passkey for a ticket is bound to it, and stored once', async (t) => {
  const { server, id, ticketOf } = await start(t)
  const ticket = await ticketOf()
  const authenticator = authenticatorOf(server)
  expectSuccess(t, await sendPasskey(t, server, authenticator, { ticket }))
  const again = await server.call('POST', '/auth/factors/passkey/options', { json: { ticket } })
  expectProblem(t, again, 'invalid_grant')
  t.equal(await countOf(server, id), 1)
})
