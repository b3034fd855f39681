import { test } from 'tap'
import { createComposer } from '../../plugins/notices/compose.js'
import { noticeTexts, codeTexts, type CodePurpose, type Notice } from '../../plugins/notices/texts.js'
import { expectSuccess } from '../helpers/expect.js'
import { bodyOf, htmlOf, startMailServer, subjectOf } from '../helpers/mail-server.js'
import { email, startWithMessages } from '../helpers/self-service.js'
import { startServer, userPassword } from '../helpers/server.js'

const change = { oldPassword: userPassword, newPassword: 'violet umbrella stand' }

test('every message exists in English and Chinese, as plain text and as HTML, and no placeholder is left', (t) => {
  const composer = createComposer('Acme')
  const values = { username: 'alice', realName: 'Alice', address: '192.0.2.1', time: 'now', platform: 'Example' }
  const contents = (['en', 'zh'] as const).flatMap((language) => [
    ...(Object.keys(codeTexts) as CodePurpose[]).map((purpose) =>
      composer.code({ purpose, code: '123456', language, ttl: 300 }),
    ),
    ...(Object.keys(noticeTexts) as Notice[]).map((notice) => composer.notice(notice, language, values)),
  ])
  t.equal(contents.length, 24)
  for (const { subject, text, html } of contents) {
    for (const part of [subject, text, html]) t.notMatch(part, /[{}]|undefined/)
    t.match(subject, 'Acme')
    t.notMatch(html, /<(?:img|a|script|link|style)\b|https?:/i)
    for (const paragraph of text.split('\n\n')) t.ok(html.includes(`<p>${paragraph}</p>`), paragraph)
  }
  t.end()
})

test('a time is written in hours from two hours on, otherwise in minutes', (t) => {
  const text = (ttl: number, language: 'en' | 'zh') =>
    createComposer('Acme').code({ purpose: 'invitation', code: '123456', language, ttl }).text
  t.match(text(24 * 3600, 'en'), 'valid for 24 hours')
  t.match(text(300, 'en'), 'valid for 5 minutes')
  t.match(text(60, 'en'), 'valid for 1 minute.')
  t.match(text(24 * 3600, 'zh'), '24小时内有效')
  t.end()
})

test('a mail about a changed password comes in both languages, that of the request first, and escapes names in HTML', async (t) => {
  const { server, mailServer } = await startWithMessages(t)
  const realName = '<img src=x onerror="alert(1)">'
  await server.addUser('bob', { email: 'bob@example.com', realName })
  const { accessToken } = await server.signIn('bob')
  const headers = { 'accept-language': 'zh-CN' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token: accessToken, json: change, headers }))
  const [mail] = await mailServer.waitFor(1)
  const raw = mail?.raw ?? ''
  t.same(mail?.to, ['bob@example.com'])
  t.equal(subjectOf(raw), 'Rollcall 账号变更通知')
  t.match(bodyOf(raw), /的密码已修改[^]*The password of your account bob was changed/)
  t.ok(bodyOf(raw).includes(realName), 'the plain text is as it is')
  t.match(htmlOf(raw), '&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
  t.notMatch(htmlOf(raw), '<img')
  for (const secret of Object.values(change)) t.notMatch(raw, secret)
})

test('a sign-in on a new device is told to the owner; the first one of an account, and known devices, are not', async (t) => {
  const { server, mailServer } = await startWithMessages(t)
  const browser = { origin: server.origin }
  const signIn = (headers: Record<string, string> = {}) =>
    server.call('POST', '/auth/login', { json: { username: 'alice', password: userPassword }, headers })
  const first = await signIn(browser)
  expectSuccess(t, first)
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  expectSuccess(t, await signIn({ ...browser, cookie }))
  expectSuccess(t, await signIn())
  expectSuccess(t, await signIn({ ...browser, 'user-agent': 'see https://evil.example' }))
  const [mail] = await mailServer.waitFor(1)
  await server.app.close()
  t.equal(mailServer.mails.length, 1, 'neither the known browser nor an app at a known address')
  t.same(mail?.to, [email])
  t.match(bodyOf(mail?.raw ?? ''), /Hello Alice Liddell,[^]*signed in to your account alice on a device/)
  t.notMatch(mail?.raw, 'evil', 'nothing that the stranger chose')
})

test('mail.newDevice false tells nobody', async (t) => {
  const { server, mailServer } = await startWithMessages(t, { settings: { mail: { newDevice: false } } })
  const headers = { origin: server.origin }
  for (let count = 0; count < 2; count++)
    await server.call('POST', '/auth/login', { json: { username: 'alice', password: userPassword }, headers })
  await server.app.close()
  t.equal(mailServer.mails.length, 0)
})

test('one kind of notice reaches a user at most 20 times in 24 hours', async (t) => {
  const { server, mailServer } = await startWithMessages(t)
  const headers = { origin: server.origin }
  for (let count = 0; count < 25; count++)
    await server.call('POST', '/auth/login', { json: { username: 'alice', password: userPassword }, headers })
  await server.app.close()
  t.equal(mailServer.mails.length, 20)
})

for (const behaviour of ['refuse', 'hang'] as const) {
  test(`a mail server that ${behaviour}s delays no change of a password, and the failure is logged`, async (t) => {
    const mailServer = await startMailServer(t, behaviour)
    const server = await startServer(t, {
      environment: { SMTP_URL: mailServer.url },
      settings: { mail: { timeout: 3 } },
    })
    await server.addUser('alice', { email })
    const { accessToken } = await server.signIn('alice')
    expectSuccess(t, await server.call('POST', '/auth/changePassword', { token: accessToken, json: change }))
    const failure = /a notice of an account change could not be sent/
    if (behaviour === 'hang') t.notMatch(server.log(), failure)
    await server.app.close()
    t.match(server.log(), failure)
    t.notMatch(server.log(), change.newPassword)
  })
}
