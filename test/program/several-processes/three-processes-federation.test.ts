import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { test } from 'tap'
import type { AuthUrl, SocialTicket } from '../../../schemas/social.js'
import { tally } from '../../helpers/values/compare.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { federation, startOpenIdProvider } from '../../helpers/peers/openid-provider.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { startThree } from '../../helpers/processes/three-processes.js'

test('what is good for one sign-in is so at three processes together', async (t) => {
  const provider = await startOpenIdProvider(t)
  const three = await startThree(t, {
    ...federation([provider.settings], { unknownIdentity: 'register' }),
    captcha: { type: 'pow', powCost: 10, mode: 'never' },
    trustProxy: ['127.0.0.1'],
  })
  const { at, everywhere, signIn, spread } = three

  /** Begins at one process; resolves to what the browser comes back with. */
  const visit = async (index: number, login: string, token?: string) => {
    const options = token === undefined ? {} : { token }
    const { authUrl } = expectSuccess(t, await at(index).call<AuthUrl>('GET', '/social/authUrl/corporate', options))
    return provider.visit(authUrl, login)
  }
  const ticketOf = async (index: number, login: string, token?: string) => {
    const json = { platform: 'corporate', ...(await visit(index, login, token)) }
    return expectSuccess(t, await at(index + 1).call<SocialTicket>('POST', '/social/callback', { json })).socialTicket
  }
  /** From 51 addresses: so many failures of one address would pause it, and whoever has the right code, too. */
  const login = (json: object) =>
    spread(51, (server, index) =>
      server.call('POST', '/auth/login', { json, headers: { 'x-forwarded-for': `203.0.113.${index}` } }),
    )

  await t.test('of 51 sign-ins with the code and state of a provider one passes', async (t) => {
    const { code: authCode, state } = await visit(0, 'alice')
    const { 200: passed, ...refused } = tally(await login({ authType: 'oauth2', authCode, state }))
    t.equal(passed, 1)
    t.strictSame(refused, { invalid_grant: 50 })
  })

  await t.test('of 51 sign-ins with one ticket one passes', async (t) => {
    const socialTicket = await ticketOf(1, 'alice')
    const { 200: passed, ...refused } = tally(await login({ authType: 'social', socialTicket }))
    t.equal(passed, 1)
    t.strictSame(refused, { invalid_grant: 50 })
  })

  await t.test('a ticket links an identity once: of 51 requests one passes', async (t) => {
    const token = await signIn(2, 'admin')
    const socialTicket = await ticketOf(2, 'boss', token)
    const answers = await spread(51, (server) => server.call('POST', '/social/bind', { token, json: { socialTicket } }))
    const { 200: passed, ...refused } = tally(answers)
    t.equal(passed, 1)
    t.strictSame(refused, { invalid_grant: 50 })
    for (const answer of await everywhere((server) => server.call('GET', '/social/bind', { token })))
      t.equal(expectSuccess(t, answer).length, 1)
  })

  await t.test('of 51 sign-ins with one proof of work one passes', async (t) => {
    const { codeKey, challenge } = expectSuccess(t, await at(0).call('GET', '/auth/captcha'))
    const solution = await solveChallenge({ challenge, deriveKey })
    const code = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
    const json = { authType: 'password_captcha', codeKey, code }
    const answers = await spread(51, (server) => server.signIn('admin', adminPassword, json))
    t.strictSame(tally(answers), { 200: 1, invalid_code: 50 })
  })

  const errors = three.processes.flatMap((server) => server.logLines().filter(({ level }) => level >= 50))
  t.strictSame(errors, [], 'nothing in the logs')
})
