import { test } from 'tap'
import { emailKey } from '../../../db/email-key.js'
import { startMailServer } from '../../helpers/peers/mail-server.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

const same: [string, string][] = [
  ['u@münchen.example', 'U@xn--mnchen-3ya.example'],
  ['u@MÜNCHEN.example', 'u@münchen.example'],
  ['weiß@a.example', 'WEISS@A.EXAMPLE'],
]
const different: [string, string][] = [
  ['u@ıntern.example', 'u@intern.example'],
  ['u@straße.example', 'u@strasse.example'],
  ['u@ς.example', 'u@σ.example'],
]

test('addresses of two domains are two addresses, and a domain and its ASCII form are one', async (t) => {
  for (const [one, other] of same) t.equal(emailKey(one), emailKey(other), `${one} ${other}`)
  for (const [one, other] of different) t.not(emailKey(one), emailKey(other), `${one} ${other}`)
  const server = await startServer(t)
  for (const [index, [one, other]] of same.entries()) {
    if (index === 1) continue
    await server.addUser(`same${index}`, { email: one })
    await t.rejects(server.addUser(`taken${index}`, { email: other }), { code: 'invalid_request' }, other)
  }
  for (const [index, [one, other]] of different.entries()) {
    await server.addUser(`one${index}`, { email: one })
    await server.addUser(`other${index}`, { email: other })
  }
  const { accessToken: token } = await server.signIn()
  const find = (email: string) => server.call('GET', '/system/user/page', { token, query: { email } })
  t.match(expectSuccess(t, await find('u@intern.example')).records, [{ username: 'other0' }])
  t.match(expectSuccess(t, await find('u@xn--mnchen-3ya.example')).records, [{ username: 'same0' }])
})

/** Texts that mail programs read as several addresses, names or comments, or that are no host names. */
const refused = [
  'a@b.example,c.example',
  'a@b.example;c.example',
  'a<c.d',
  'a@b.example<c@d.example>',
  '<a@b.example>',
  'a@(x)b.example',
  'a@b.example(x)',
  'a(x)@b.example',
  '"a b"@c.example',
  'a@b_c.example',
  'a@-b.example',
  'a@b-.example',
  'a@b..example',
  'a@b.example.',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@0x7f.1',
  'a@b%2ecom.example',
  'a@b.example:25',
  'a@b.example/x',
  `a@${'b'.repeat(64)}.example`,
  'a@b@c.example',
  'a@b。example',
]

test('only plain addresses are stored and get mail', async (t) => {
  const mailServer = await startMailServer(t)
  const server = await startServer(t, { environment: { SMTP_URL: mailServer.url } })
  const { accessToken: token } = await server.signIn()
  for (const email of refused) {
    const json = { username: 'someone', email, password: 'plain green teapot' }
    expectProblem(t, await server.call('POST', '/system/user', { token, json }), 'invalid_request', ['email'])
    const asked = await server.call('POST', '/auth/captcha/email', { json: { email } })
    t.equal(asked.status, 400, email)
  }
  await server.addUser('wide', { email: 'u@münchen.example' })
  expectSuccess(t, await server.call('POST', '/auth/captcha/email', { json: { email: 'u@münchen.example' } }))
  const [mail] = await mailServer.waitFor(1)
  // The mail server shows the domain in Unicode, in whichever form it came.
  t.same(mail?.to.map(emailKey), ['u@xn--mnchen-3ya.example'])
})

test('an address that an earlier version stored with a separator gets no mail at another place', async (t) => {
  const mailServer = await startMailServer(t)
  const server = await startServer(t, { environment: { SMTP_URL: mailServer.url } })
  for (const to of ['a@b.example,c.example', 'a@b.example, mallory@c.example', 'Mallory <mallory@c.example>']) {
    await server.app.mail?.send({ to, subject: 's', html: '', text: 't' }).catch(() => undefined)
  }
  t.notOk(mailServer.mails.some((mail) => mail.to.some((address) => address.startsWith('mallory'))))
})
