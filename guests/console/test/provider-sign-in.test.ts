import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startLinking } from '../../../test/helpers/peers/linking.js'
import { createFrontEnd } from './front-end.js'

const options = { federation: { unknownIdentity: 'refuse' } }

test('the state of action=bind begins with bind_ and the platform, by which a page knows to link', async (t) => {
  const { server, join, visit, enter } = await startLinking(t, options)
  const token = await join('anna')
  const stateOf = async (query: string) => {
    const answer = await server.call('GET', '/social/authUrl/corporate', { token, query })
    const data = expectSuccess(t, answer) as { state: string; authUrl: string }
    t.equal(new URL(data.authUrl).searchParams.get('state'), data.state, 'the provider sends back the same')
    return { ...data, keys: Object.keys(data).sort().join() }
  }
  t.match((await stateOf('action=bind')).state, /^bind_corporate_[\w-]{32}$/)
  const plain = await stateOf('')
  for (const query of ['action=', 'action=login', 'action=BIND', 'action=bind_', `action=${'x'.repeat(300)}`]) {
    const other = await stateOf(query)
    t.match(other.state, /^corporate_[\w-]{32}$/, query)
    t.equal(other.keys, plain.keys)
    const without = ({ authUrl }: typeof other) => [...new URL(authUrl).searchParams.keys()]
    t.same(without(other), without(plain))
  }
  const back = (await visit('alice', 'corporate', { token, query: 'action=bind' })) as Record<string, string>
  t.match(back['state'], /^bind_corporate_/)
  const { platform, code, state } = back
  expectSuccess(t, await createFrontEnd(server, token).json('/social/bind', { platform, code, state }))
  t.equal(expectSuccess(t, await enter()).userInfo.username, 'anna')
})

test('an identity that was begun to be linked in another session is not linked', async (t) => {
  const { join, server, visit } = await startLinking(t, options)
  const anna = await join('anna')
  const eve = createFrontEnd(server, await join('eve'))
  const { platform, code, state } = await visit('alice', 'corporate', { token: anna, query: 'action=bind' })
  expectProblem(t, await eve.json('/social/bind', { platform, code, state }), 'invalid_grant')
})

test('the callback answers the ticket as uuid, too, and a sign-in takes it as socialUuid', async (t) => {
  const { server, join, linkIdentity, visit, callback } = await startLinking(t, options)
  await linkIdentity(await join('anna'))
  const ticket = async () => {
    const data = expectSuccess(t, await callback(await visit())) as { uuid?: string; socialTicket: string }
    t.equal(data.uuid, data.socialTicket)
    return data.socialTicket
  }
  const signIn = (fields: Record<string, string>, kind: 'json' | 'form') =>
    server.call('POST', '/auth/login', { [kind]: { authType: 'social', ...fields } })
  for (const kind of ['json', 'form'] as const) {
    const socialUuid = await ticket()
    t.equal(expectSuccess(t, await signIn({ socialUuid }, kind)).userInfo.username, 'anna', kind)
    expectProblem(t, await signIn({ socialUuid }, kind), 'invalid_grant')
    const socialTicket = await ticket()
    expectSuccess(t, await signIn({ socialTicket, socialUuid: 'x' }, kind))
    expectSuccess(t, await signIn({ socialTicket: '', socialUuid: await ticket() }, kind))
    expectProblem(t, await signIn({ socialUuid: 'x' }, kind), 'invalid_grant')
    expectProblem(t, await signIn({ socialUuid: '' }, kind), 'invalid_request', ['socialTicket'])
  }
})

test('without the setting there is no uuid, and socialUuid is no ticket', async (t) => {
  const { server, join, linkIdentity, visit, callback } = await startLinking(t, {
    ...options,
    settings: { compat: { enabled: false } },
  })
  await linkIdentity(await join('anna'))
  const data = expectSuccess(t, await callback(await visit())) as object
  t.notOk('uuid' in data)
  const { socialTicket: socialUuid } = data as { socialTicket: string }
  const answer = await server.call('POST', '/auth/login', { json: { authType: 'social', socialUuid } })
  expectProblem(t, answer, 'invalid_request', ['socialTicket'])
})
