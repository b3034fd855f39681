import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookieOf } from '../../helpers/peers/federation.js'
import { startLinking } from '../../helpers/peers/linking.js'
import { userPassword } from '../../helpers/service/server.js'

const sites = ['cross-site', 'same-site', 'same-origin', 'none', undefined]
const headersOf = (site: string | undefined): Record<string, string> =>
  site === undefined ? {} : { 'sec-fetch-site': site }

for (const acceptUnboundBrowsers of [false, true]) {
  const setting = acceptUnboundBrowsers ? ', even where browsers that show nothing are accepted' : ''

  test(`O1: a stranger who makes a browser send the code of the stranger is not linked${setting}`, async (t) => {
    const { join, visit, callback, ticketOf, link, list, enter, signIn } = await startLinking(t, {
      federation: { unknownIdentity: 'refuse', acceptUnboundBrowsers },
    })
    const victim = await join('victim')
    const stranger = await join('stranger')
    for (const site of sites) {
      for (const token of [undefined, stranger]) {
        const subject = `${site ?? 'absent'}-${token === undefined ? 'signed-out' : 'signed-in'}`
        t.comment(subject)
        const headers = headersOf(site)
        const answer = await callback(await visit(subject, 'corporate', { token }), headers)
        const tickets = [await ticketOf(subject, 'corporate', { token })]
        if (acceptUnboundBrowsers || site === undefined) tickets.push(expectSuccess(t, answer).socialTicket)
        else {
          expectProblem(t, answer, 'invalid_grant')
          t.notMatch(answer.text, 'socialTicket')
        }
        for (const ticket of tickets) {
          const refused = await link(victim, ticket, headers)
          expectProblem(t, refused, 'invalid_grant')
          t.notMatch(refused.text, subject)
          const usedUp = await signIn({ authType: 'social', socialTicket: ticket })
          expectProblem(t, usedUp, 'invalid_grant')
          t.notMatch(usedUp.text, 'violations', 'it is the ticket that is refused, before the identity is looked at')
        }
        const after = await enter(subject)
        expectProblem(t, after, 'invalid_grant', ['socialTicket'])
        t.notMatch(after.text, /accessToken|victim/)
      }
    }
    t.same(await list(victim), [])
    t.same(await list(stranger), [])
  })
}

test('O1: an identity is linked in the session that began, from any page, also after a refresh', async (t) => {
  const { server, join, begin, provider, callback, link, list, enter, ticketOf, signIn } = await startLinking(t)
  let token = await join('anna')
  const ben = await join('ben')
  for (const site of sites) {
    const headers = headersOf(site)
    const subject = `anna-${site ?? 'absent'}`
    t.comment(subject)
    const begun = await begin('corporate', { token, headers })
    t.same(Object.keys(begun.body.data).sort(), ['authUrl', 'platform', 'state', 'verifier'])
    t.notMatch(begun.text, /anna/, 'the answer does not say whose session it is')
    const back = { platform: 'corporate', ...provider('corporate').visit(begun.body.data.authUrl, subject) }
    const isApart = site === 'cross-site' || site === 'same-site'
    const ticket = isApart
      ? await callback({ ...back, verifier: begun.body.data.verifier }, headers)
      : await callback(back, { ...headers, ...cookieOf(begun).header })
    token = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token })).accessToken as string
    const linked = expectSuccess(t, await link(token, expectSuccess(t, ticket).socialTicket, headers))
    t.equal(linked.displayName, subject)
  }
  t.equal((await list(token)).length, sites.length)
  t.same(await list(ben), [])
  for (const site of sites) {
    t.equal(expectSuccess(t, await enter(`anna-${site ?? 'absent'}`)).userInfo.username, 'anna')
  }

  const socialTicket = await ticketOf('anna-none', 'corporate', { token: ben })
  const { userInfo } = expectSuccess(t, await signIn({ authType: 'social', socialTicket }))
  t.equal(userInfo.username, 'anna', 'a ticket says who somebody is, whoever was signed in at the beginning')
})

test('O1: a state that began with a token signs in from its browser alone', async (t) => {
  const { join, begin, provider, callback } = await startLinking(t)
  const token = await join('anna')
  const finish = async (isOwn: boolean) => {
    const begun = await begin('corporate', { token })
    const header = isOwn ? cookieOf(begun).header : cookieOf(await begin()).header
    return callback({ platform: 'corporate', ...provider('corporate').visit(begun.body.data.authUrl) }, header)
  }
  expectSuccess(t, await finish(true))
  const refused = await finish(false)
  expectProblem(t, refused, 'invalid_grant')
  t.notMatch(refused.text, 'socialTicket')
})

test('O1: a ticket that began in another session is refused and used up, also one of the same user', async (t) => {
  const { server, join, link, list, ticketOf, enter } = await startLinking(t)
  const first = await join('anna')
  const second = (await server.signIn('anna', userPassword)).accessToken
  const ben = await join('ben')
  const ended = (await server.signIn('anna', userPassword)).accessToken
  const rows = [
    { name: 'another session of the same user', begun: first, caller: second },
    { name: 'an earlier session of the same user, later to an earlier one', begun: second, caller: first },
    { name: 'a session of somebody else', begun: ben, caller: first },
    { name: 'a session that has ended since', begun: ended, caller: first },
    { name: 'no session', begun: undefined, caller: first },
  ]
  for (const { name, begun, caller } of rows) {
    t.comment(name)
    const ticket = await ticketOf('alice', 'corporate', { token: begun })
    if (begun === ended) await server.call('POST', '/auth/logout', { token: ended })
    expectProblem(t, await link(caller, ticket), 'invalid_grant')
    if (begun !== undefined && begun !== ended) {
      expectProblem(t, await link(begun, ticket), 'invalid_grant')
      t.same(await list(begun), [], 'not in the session that began either: the ticket is used up')
    }
    t.same(await list(caller), [])
  }
  expectProblem(t, await enter(), 'invalid_grant', ['socialTicket'])
})

test('O1: a token that is not good is ignored at the beginning, and then nothing is linked', async (t) => {
  const { server, join, begin, provider, callback, link, list, enter, signIn } = await startLinking(t)
  const token = await join('anna')
  const ended = (await server.signIn('anna', userPassword)).accessToken
  await server.call('POST', '/auth/logout', { token: ended })
  const [header = '', payload = '', signature = ''] = token.split('.')
  const rows: [name: string, authorization: string][] = [
    ['nothing', ''],
    ['rubbish', 'Bearer rubbish'],
    ['a scheme alone', 'Bearer'],
    ['another scheme', `Basic ${token}`],
    ['bytes beyond ASCII', 'Bearer \xff\xfe'],
    ['a token of a session that has ended', `Bearer ${ended}`],
    ['a token without its signature', `Bearer ${header}.${payload}.`],
    ['a token with the signature of another', `Bearer ${header}.${payload}.${ended.split('.')[2] ?? ''}`],
    ['a token with other claims', `Bearer ${header}.${payload.slice(0, -4)}.${signature}`],
  ]
  for (const [name, authorization] of rows) {
    t.comment(name)
    const begun = await begin('corporate', { headers: { authorization } })
    const { authUrl } = expectSuccess(t, begun)
    t.notOk(begun.headers.has('www-authenticate'))
    const back = { platform: 'corporate', ...provider('corporate').visit(authUrl) }
    const { socialTicket } = expectSuccess(t, await callback(back, cookieOf(begun).header))
    expectProblem(t, await link(token, socialTicket), 'invalid_grant')
    t.same(await list(token), [])
    const usedUp = await signIn({ authType: 'social', socialTicket })
    expectProblem(t, usedUp, 'invalid_grant')
    t.notMatch(usedUp.text, 'violations')
  }
  expectProblem(t, await enter(), 'invalid_grant', ['socialTicket'])
})

test('O1: an expired token is ignored at the beginning, also while its session lives', async (t) => {
  const { server, join, link, list, ticketOf } = await startLinking(t)
  const expired = await join('anna')
  const { expiresIn } = await server.signIn('anna', userPassword)
  server.clock.advance(expiresIn)
  const ticket = await ticketOf('alice', 'corporate', { token: expired })
  const { accessToken } = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: expired }))
  expectProblem(t, await link(accessToken, ticket, {}, userPassword), 'invalid_grant')
  t.same(await list(accessToken), [])
  const good = await ticketOf('alice', 'corporate', { token: accessToken })
  expectSuccess(t, await link(accessToken, good, {}, userPassword))
})

test('O1: a token that was replaced long ago begins nothing to link, and ends its session as anywhere', async (t) => {
  const { server, join, link, list, enter, ticketOf } = await startLinking(t)
  const old = await join('anna')
  const { accessToken } = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: old }))
  t.same(await list(accessToken), [])
  server.clock.advance(60)
  const ticket = await ticketOf('alice', 'corporate', { token: old })
  expectProblem(t, await link(accessToken, ticket), 'session_revoked')
  expectProblem(t, await enter(), 'invalid_grant', ['socialTicket'])
})
