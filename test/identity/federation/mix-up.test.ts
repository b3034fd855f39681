import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { createEncryption } from '../../../plugins/run/encryption/encryption.js'
import { startFederation } from '../../helpers/peers/federation.js'
import type { Fault } from '../../helpers/peers/hostile-provider.js'

const email = 'alice@example.com'
const withMail: Fault = { claims: (honest) => ({ ...honest, email, email_verified: true }) }
const platforms = { first: withMail, second: withMail }

test('O2: what one provider sent back is no use at another', async (t) => {
  const { provider, visit, callback, signIn, countUsers } = await startFederation(t, { platforms })
  const asked = () =>
    ['first', 'second'].map((name) => provider(name).received.filter(({ url }) => url === '/token').length)
  const { issuer: firstIssuer } = provider('first')
  const { issuer: secondIssuer } = provider('second')

  const back = await visit('alice', 'first')
  expectProblem(t, await callback({ ...back, platform: 'second' }), 'invalid_grant')
  t.same(asked(), [0, 0], 'the code of one was shown to neither')

  for (const iss of [secondIssuer, `${firstIssuer}/`, firstIssuer.toUpperCase(), 'first']) {
    expectProblem(t, await callback({ ...(await visit('alice', 'first')), iss }), 'invalid_grant')
    const { code: authCode, state } = await visit('alice', 'first')
    expectProblem(t, await signIn({ authType: 'oauth2', authCode, state, iss }), 'invalid_grant')
  }
  t.same(asked(), [0, 0], 'the answer of another issuer is shown to nobody')

  const { state } = await visit('alice', 'first')
  const { code } = await visit('alice', 'second')
  expectProblem(t, await callback({ platform: 'first', code, state }), 'invalid_grant')
  const other = await visit('alice', 'first')
  expectProblem(t, await signIn({ authType: 'oauth2', authCode: code, state: other.state }), 'invalid_grant')
  t.equal(asked()[1], 0, 'the second was not asked')

  t.equal(await countUsers(), 1, 'nobody was let in')
  expectSuccess(t, await callback({ ...(await visit('alice', 'first')), iss: firstIssuer }))
})

test('O2: an ID token of another provider is refused, even one that was signed by it', async (t) => {
  const stolen: { token?: unknown } = {}
  const { visit, callback } = await startFederation(t, {
    platforms: {
      victim: { tokens: (honest) => ((stolen.token = honest['id_token']), honest) },
      thief: { tokens: (honest) => ({ ...honest, id_token: stolen.token }) },
    },
  })
  expectSuccess(t, await callback(await visit('alice', 'victim')))
  t.type(stolen.token, 'string')
  expectProblem(t, await callback(await visit('alice', 'thief')), 'invalid_grant')
})

test('O2: where a provider sends its `iss` and it is required, an answer without it goes nowhere', async (t) => {
  const advertised: Fault = {
    metadata: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }),
  }
  const { provider, visit, callback, signIn } = await startFederation(t, {
    platforms: { corporate: advertised },
    provider: { requireIss: true },
  })
  const { issuer, received } = provider('corporate')
  expectProblem(t, await callback(await visit()), 'invalid_grant')
  const { code: authCode, state } = await visit()
  expectProblem(t, await signIn({ authType: 'oauth2', authCode, state }), 'invalid_grant')
  t.same(
    received.filter(({ url }) => url === '/token'),
    [],
  )
  expectSuccess(t, await callback({ ...(await visit()), iss: issuer }))
})

test('O4: the same subject and the same e-mail address at two providers are two people', async (t) => {
  const { server, ticketOf, signIn, countUsers } = await startFederation(t, { platforms })
  const userOf = async (platform: string) => {
    const socialTicket = await ticketOf('alice', platform)
    return expectSuccess(t, await signIn({ authType: 'social', socialTicket })).userInfo
  }
  await server.addUser('alice', { email })
  const first = await userOf('first')
  const second = await userOf('second')
  t.equal(first.username, 'first-alice')
  t.equal(second.username, 'second-alice')
  t.not(first.userId, second.userId)
  t.same([first.email, second.email], [null, null], 'the address of the provider is not taken over')
  t.equal((await userOf('first')).userId, first.userId)
  t.equal((await userOf('second')).userId, second.userId)
  t.equal(await countUsers(), 4, 'nor are they the one here who has the address')
})

test('O4: nobody elsewhere can choose the name of somebody here', async (t) => {
  let name = 'admin'
  const { server, ticketOf, signIn } = await startFederation(t, {
    platforms: { corporate: { claims: (honest) => ({ ...honest, preferred_username: name }) } },
  })
  const enter = async (subject: string) => {
    const socialTicket = await ticketOf(subject)
    return expectSuccess(t, await signIn({ authType: 'social', socialTicket })).userInfo
  }
  const info = await enter('one')
  t.match(info, { username: 'corporate-admin', roleKeys: [], permissions: [], admin: false, userType: 2 })
  for (const [index, wanted] of ['admin', 'a'.repeat(300), '\u202eadmin', ' ', '\0'].entries()) {
    name = wanted
    const { username } = await enter(`other-${index}`)
    t.match(username, /^corporate-[0-9a-f]{12}$/, `${JSON.stringify(wanted.slice(0, 10))} is not taken`)
  }
  await server.addUser('corporate-bob')
  name = 'bob'
  t.match((await enter('bob')).username, /^corporate-[0-9a-f]{12}$/)
})

test('a sign-in that was started with another master secret is started anew', async (t) => {
  const { server, visit, callback } = await startFederation(t, { platforms: { first: withMail } })
  const back = await visit('alice', 'first')
  const { store } = server.app
  const take = store.take.bind(store)
  store.take = async (key) => (await take(key)) && createEncryption('another master secret').encrypt('{}', key)
  expectProblem(t, await callback(back), 'invalid_grant')
})
