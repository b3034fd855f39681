import { test, type Test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { bodyOf, subjectOf } from '../../helpers/peers/mail-server.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { userPassword } from '../../helpers/service/server.js'

const chinese = /\p{Script=Han}/u
const english = /Hello|was changed/

/** What alice is told after such sign-ins, when a request that asks for Chinese changes her password. */
const toldAfter = async (t: Test, signIns: (string | undefined)[], language?: string) => {
  const { server, post, mailServer } = await startWithMessages(t, {
    settings: { mail: { newDevice: false, ...(language === undefined ? {} : { language }) } },
  })
  for (const accept of signIns) {
    const headers: Record<string, string> = accept === undefined ? {} : { 'accept-language': accept }
    expectSuccess(t, await post('/auth/login', { username: 'alice', password: userPassword }, headers))
  }
  const { accessToken: token } = await server.signIn('alice')
  const json = { oldPassword: userPassword, newPassword: 'violet umbrella stand' }
  const headers = { 'accept-language': 'zh-CN' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json, headers }))
  const [mail] = await mailServer.waitFor(1)
  return { subject: subjectOf(mail?.raw ?? ''), text: bodyOf(mail?.raw ?? '') }
}

const rows: [about: string, signIns: (string | undefined)[], setting: string | undefined, languages: string][] = [
  ['that of the last sign-in', ['zh-CN', 'en-GB'], undefined, 'en'],
  ['that of the last sign-in, Chinese', ['en', 'zh-Hans;q=0.9, en;q=0.5'], undefined, 'zh'],
  ['a sign-in without a language leaves it', ['en', '*', 'fr'], undefined, 'en'],
  ['both as long as it is unknown', ['*', 'fr'], undefined, 'zh en'],
  ['both by the setting, that of the person first', ['en'], 'both', 'en zh'],
  ['that of the setting', ['en'], 'zh', 'zh'],
]
for (const [about, signIns, setting, languages] of rows)
  test(`a mail comes in the language of the person: ${about}`, async (t) => {
    const { subject, text } = await toldAfter(t, signIns, setting)
    for (const part of [subject, text]) {
      t.equal(chinese.test(part), languages.includes('zh'), part)
      t.equal(english.test(part), languages.includes('en'), part)
    }
    if (languages.includes(' ')) t.equal(chinese.test(text.slice(0, 20)), languages.startsWith('zh'), 'its order')
  })

test('an invitation is in both languages, and once the person has come, in that of the person', async (t) => {
  const { server, post, mailAfter } = await startWithMessages(t)
  const { accessToken: token } = await server.signIn()
  const json = { username: 'bob', email: 'bob@example.com' }
  const headers = { 'accept-language': 'zh-CN' }
  const first = await mailAfter(() => server.call('POST', '/system/user', { token, json, headers }))
  t.match(first, /^Administrator 邀请您使用 Rollcall[^]*----[^]*Administrator invites you to Rollcall/)
  const email = 'bob@example.com'
  const code = /\b\d{6}\b/.exec(await mailAfter(() => post('/auth/captcha/email', { email })))?.[0]
  const english = { 'accept-language': 'en' }
  expectSuccess(t, await post('/auth/login', { authType: 'email_captcha', email, code }, english))
  const { id } = (await server.app.db.users.findByUsername(1, 'bob')) ?? {}
  server.clock.advance(60)
  const later = await mailAfter(() => server.call('POST', `/system/user/${id}/invite`, { token, headers }))
  t.match(later, 'Administrator invites you to Rollcall')
  t.notMatch(later, chinese)
})
