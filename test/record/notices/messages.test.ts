import { test } from 'tap'
import { createComposer } from '../../../plugins/record/notices/compose.js'
import { createTimeZone } from '../../../lib/time-zone.js'
import { createPageLinks } from '../../../plugins/record/notices/page-links.js'
import { noticeTexts, type Notice } from '../../../plugins/record/notices/notice-texts.js'
import { codeTexts, type CodePurpose } from '../../../plugins/record/notices/texts.js'
import { catalogue } from '../../../schemas/problems.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { bodyOf, htmlOf, startMailServer, subjectOf } from '../../helpers/peers/mail-server.js'
import { email, startWithMessages } from '../../helpers/service/self-service.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const change = { oldPassword: userPassword, newPassword: 'violet umbrella stand' }

const settings = {
  publicUrl: 'https://example.com/iam',
  issuer: 'rollcall',
  pages: { signIn: true, account: true, console: true },
}
const links = createPageLinks({ settings: { ...settings, publicUrl: null }, hasPages: true })
const timeZone = createTimeZone('Asia/Shanghai')
const options = { serviceName: 'Acme', color: '#14616f', language: 'both', links, host: undefined, timeZone } as const
const expires = Date.UTC(2026, 1, 2, 8)
const values = {
  tenantId: 1,
  username: 'alice',
  realName: 'Alice',
  address: '192.0.2.1',
  time: 'now',
  platform: 'Example',
  factor: 'Pixel',
  left: '9',
  by: 'root',
  of: 'Sales',
}
const languages = ['en', 'zh'] as const
const purposes = [...(Object.keys(codeTexts) as CodePurpose[]), 'invitation'] as const
const chinese = /\p{Script=Han}/u

test('every message exists in English and Chinese, as plain text and as HTML, and no placeholder is left', (t) => {
  const composer = createComposer(options)
  const contents = languages.flatMap((language) => [
    ...purposes.map((purpose) => composer.code({ purpose, code: '123456', language, ttl: 300, expires, tenantId: 1 })),
    ...(Object.keys(noticeTexts) as Notice[]).map((notice) => composer.notice(notice, language, values)),
  ])
  t.equal(contents.length, 2 * (purposes.length + Object.keys(noticeTexts).length))
  t.ok(contents.length >= 46)
  for (const { subject, text, html } of contents) {
    for (const part of [subject, text, html]) t.notMatch(part, /[{}]|undefined/)
    t.match(subject, 'Acme')
    t.notMatch(html, /<(?:img|a|script|link|style)\b|https?:|url\(|\b(?:src|href|background)=/i, 'nothing is loaded')
    t.match(html, '>Acme</td>')
    const lines = text.split('\n').filter((line) => line !== '' && line !== '----')
    for (const part of lines.flatMap(
      (line) => /^(\w.{1,14}(?=: )|.{2,4}(?=：))(?:: |：)(\S+)$/.exec(line)?.slice(1) ?? [line],
    ))
      t.ok(html.includes(`>${part}</`), part)
  }
  t.end()
})

test('Chinese messages have colons of full width and one word for the second step and for authenticator apps', (t) => {
  const composer = createComposer({ ...options, language: 'zh' })
  for (const notice of Object.keys(noticeTexts) as Notice[]) {
    const { subject, text } = composer.notice(notice, 'zh', values)
    for (const part of [subject, text, composer.shortNotice(notice, 'zh', values)]) {
      t.notMatch(part, /[:;,!?] ?\p{Script=Han}|\p{Script=Han}[:;,!?]/u)
      t.notMatch(part, /第二重|双重验证|验证器应用/)
    }
  }
  t.match(composer.notice('password_changed', 'zh', values).text, '时间：now\n网络地址：192.0.2.1\n')
  for (const purpose of purposes) {
    const message = { purpose, code: '123456', language: 'zh', ttl: 300, expires, tenantId: 1 } as const
    t.notMatch(composer.code(message).text, /第二重|双重验证|验证器应用|\d分钟/)
  }
  for (const { zh } of Object.values(catalogue)) t.notMatch(zh, /第二重|双重验证|验证器应用/)
  t.end()
})

test('who has lost all second factors is told where a new one is set up', (t) => {
  const composer = createComposer({ ...options, links: createPageLinks({ settings, hasPages: true }) })
  const { text } = composer.notice('factors_reset', 'en', values)
  t.match(text, 'set up a new one after the next sign-in')
  t.match(text, /除非第二步验证已关闭，请在重新登录后到账号的“密码与安全”页面重新设置/)
  t.match(text, 'https://example.com/iam/account/security')
  t.end()
})

test('an invitation without a link says where its code is typed', (t) => {
  const message = {
    purpose: 'invitation',
    code: '123456',
    ttl: 300,
    expires,
    tenantId: 1,
    to: 'bob@example.com',
  } as const
  const composer = createComposer(options)
  const [en, zh] = [{ ...message, language: 'en' } as const, { ...message, language: 'zh' } as const]
  t.match(
    composer.code(en).text,
    /where you sign in to Acme, together with this e-mail address, [^]*invited you\. Code:/,
  )
  t.match(composer.code(zh).text, /在 Acme 的登录页面输入此邮箱和[^]*请询问邀请人。邀请码：/)
  t.match(composer.shortCode(en), /together with this phone number, .* ask who has invited you\. Code: 123456\. /)
  t.match(composer.shortCode(zh), /输入此手机号和.*请询问邀请人。邀请码：123456。/)
  t.end()
})

test('the code is alone on its line in mails, and inside the paragraph of a text message', (t) => {
  const composer = createComposer(options)
  for (const language of languages) {
    for (const purpose of purposes) {
      const message = { purpose, code: '123456', language, ttl: 300, expires, username: 'alice', tenantId: 1 }
      const { text, html } = composer.code(message)
      t.match(text, /[:：]\n\n123456\n\n\S/)
      t.equal(text.split('123456').length, 2, 'once')
      t.match(html, /<p style="[^"]*monospace[^"]*">123456<\/p>/)
      t.equal(chinese.test(text), language === 'zh', 'only the language of the request')
      t.equal(chinese.test(html.replace(/'PingFang SC'/g, '')), language === 'zh')
      const short = composer.shortCode(message)
      t.notMatch(short, '\n')
      t.match(short, /[:：] ?123456[.。] ?\S/)
      for (const body of [text, short])
        t.equal(body.includes('alice'), ['invitation', 'password-reset', 'factor-setup'].includes(purpose))
    }
  }
  t.end()
})

test('the subject of each notice names its event, and no two events have one subject', (t) => {
  for (const language of languages) {
    const composer = createComposer({ ...options, language })
    const subjects = (Object.keys(noticeTexts) as Notice[]).map(
      (notice) => composer.notice(notice, language, values).subject,
    )
    t.equal(new Set(subjects).size, subjects.length)
    for (const subject of subjects) {
      t.equal(chinese.test(subject), language === 'zh', subject)
      t.ok(subject.length <= 65, `${subject}: as long as phones show`)
    }
    t.ok(subjects.includes(language === 'zh' ? 'Acme：恢复码已被使用，剩余 9 个' : 'Acme: Recovery code used, 9 left'))
    t.ok(subjects.includes(language === 'zh' ? 'Acme：账号在新设备上登录' : 'Acme: New sign-in to your account'))
  }
  t.end()
})

test('the last line of a text message with a code is in the form that phones offer on the pages of the host', (t) => {
  const withHost = createComposer({ ...options, host: 'id.example.com' })
  for (const language of languages) {
    for (const purpose of purposes) {
      const message = { purpose, code: '123456', language, ttl: 300, expires, username: 'alice', tenantId: 1 }
      const short = withHost.shortCode(message)
      t.equal(short, `${createComposer(options).shortCode(message)}\n@id.example.com #123456`)
      t.notMatch(withHost.code(message).text, '@id.example.com', 'not in mails')
    }
    t.notMatch(withHost.shortNotice('phone_changed', language, values), /[@#]/, 'nor in messages without a code')
  }
  t.end()
})

test('an invitation by text message names the page on which it is accepted, and nobody in its address', (t) => {
  const composerWith = (more: { publicUrl?: null; pages?: typeof settings.pages }) => {
    const links = createPageLinks({ settings: { ...settings, ...more }, hasPages: true })
    return createComposer({ ...options, links, host: 'example.com' })
  }
  const page = 'https://example.com/iam/sign-in/invited'
  const off = { signIn: false, account: true, console: true }
  for (const language of languages) {
    const message = { code: '123456', language, ttl: 300, expires, username: 'alice', to: '+8613800138000' }
    const invitation = { ...message, purpose: 'invitation', tenantId: 1 } as const
    const short = composerWith({}).shortCode(invitation)
    t.match(short, ` ${page} `)
    t.match(short, /[:：] ?123456[.。] ?\S[^\n]*\n@example\.com #123456$/)
    t.notMatch(short, /13800138000|ask who has invited you|请询问邀请人/)
    t.match(composerWith({}).shortCode({ ...invitation, tenantId: 7 }), ` ${page}?tenant=7 `)
    for (const more of [{ publicUrl: null }, { pages: off }]) {
      const without = composerWith(more).shortCode(invitation)
      t.notMatch(without, 'https:')
      t.match(without, /ask who has invited you|请询问邀请人/)
    }
    for (const purpose of Object.keys(codeTexts) as (keyof typeof codeTexts)[])
      t.notMatch(composerWith({}).shortCode({ ...message, purpose, tenantId: 1 }), 'https:', purpose)
  }
  t.end()
})

test('messages link to the page of the next step, and to nothing secret', (t) => {
  const composerWith = (more: Partial<typeof settings> & { pages?: object }, hasPages = true) =>
    createComposer({ ...options, links: createPageLinks({ settings: { ...settings, ...more }, hasPages }) })
  const textsOf = (composer: ReturnType<typeof createComposer>, tenantId: number) => {
    const code = {
      code: '123456',
      language: 'en',
      ttl: 300,
      expires,
      username: 'alice',
      tenantId,
      to: 'bob+one@example.com',
    } as const
    return [
      composer.code({ ...code, purpose: 'invitation' }),
      composer.notice('new_device', 'en', { ...values, tenantId }),
      composer.code({ ...code, purpose: 'sign-in' }),
    ].map(({ text, html }) => ({ text, html, addresses: [...new Set(html.match(/https?:[^"<]*/g))] }))
  }
  const addresses = (composer: ReturnType<typeof createComposer>, tenantId = 1) =>
    textsOf(composer, tenantId).map((one) => one.addresses.join())
  const [invited, device] = textsOf(composerWith({}), 7)
  const page = 'https://example.com/iam/sign-in/invited'
  t.match(invited?.text, `\n${page}?tenant=7#recipient=bob%2Bone%40example.com\n\n`)
  t.match(device?.html, '<a href="https://example.com/iam/account/sessions?tenant=7" ')
  t.same(addresses(composerWith({})), [
    `${page}#recipient=bob%2Bone%40example.com`,
    'https://example.com/iam/account/sessions',
    '',
  ])
  for (const {
    addresses: [address = ''],
  } of textsOf(composerWith({}), 7)) {
    t.notMatch(address, /123456|alice/)
    t.notMatch(address.split('#')[0], 'bob', 'what is sent to a server names nobody')
  }
  t.same(addresses(composerWith({ pages: { signIn: false, account: true, console: true } })), [
    '',
    'https://example.com/iam/account/sessions',
    '',
  ])
  t.same(addresses(composerWith({ pages: { signIn: true, account: false, console: true } }))[1], '')
  t.same(addresses(composerWith({}, false)), ['', '', ''], 'an app around the service without pages')
  t.same(addresses(createComposer(options)), ['', '', ''], 'an address that nobody has set')
  t.end()
})

test('a time is written in hours from two hours on, otherwise in minutes', (t) => {
  const text = (ttl: number, language: 'en' | 'zh') =>
    createComposer(options).code({ purpose: 'invitation', code: '123456', language, ttl, expires, tenantId: 1 }).text
  t.match(text(24 * 3600, 'en'), 'valid for 24 hours')
  t.match(text(300, 'en'), 'valid for 5 minutes')
  t.match(text(60, 'en'), 'valid for 1 minute,')
  t.match(text(24 * 3600, 'zh'), '24 小时内有效')
  t.end()
})

test('a notice is in the language of mail.language, as a mail and as a text message', (t) => {
  for (const request of languages) {
    const both = createComposer(options)
    const { subject, text, html } = both.notice('password_changed', request, values)
    t.match(subject, /^Acme(?:: Your password was changed \/ 密码已修改|：密码已修改 \/ Your password was changed)$/)
    t.match(text, request === 'en' ? /^Hello[^]*\n----\n[^]*您好/ : /^Alice，您好[^]*\n----\n[^]*Hello/)
    t.match(html, /<div lang="en">[^]*Hello/)
    t.match(html, /<div lang="zh">[^]*您好/)
    t.match(both.shortNotice('phone_changed', request, values), /was changed or removed[^]*|已更换或移除/)
    const english = createComposer({ ...options, language: 'en' })
    const inEnglish = english.notice('password_changed', request, values)
    for (const part of [inEnglish.subject, inEnglish.text, english.shortNotice('phone_changed', request, values)])
      t.notMatch(part, chinese)
    const inChinese = createComposer({ ...options, language: 'zh' }).notice('password_changed', request, values)
    t.equal(inChinese.subject, 'Acme：密码已修改')
    t.notMatch(inChinese.text, /Hello|password/)
    t.match(inChinese.html, '<html lang="zh">')
  }
  t.end()
})

test('a mail about a changed password has both languages, the color and the local time, and escapes names in HTML', async (t) => {
  const settings = { branding: { color: '#7A1F3d' }, timeZone: 'Asia/Shanghai' }
  const time = Date.UTC(2026, 1, 1, 18, 5, 6)
  const { server, mailServer } = await startWithMessages(t, { settings, time })
  const realName = '<img src=x onerror="alert(1)">'
  await server.addUser('bob', { email: 'bob@example.com', realName })
  const { accessToken } = await server.signIn('bob')
  const headers = { 'accept-language': 'zh-CN' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token: accessToken, json: change, headers }))
  const [mail] = await mailServer.waitFor(1)
  const raw = mail?.raw ?? ''
  t.same(mail?.to, ['bob@example.com'])
  t.equal(subjectOf(raw), 'Rollcall：密码已修改 / Your password was changed')
  t.match(raw, /^Auto-Submitted: auto-generated\r$/m)
  t.match(bodyOf(raw), /的密码已修改[^]*The password of your account bob was changed/)
  t.match(bodyOf(raw), /\nTime: 2026-02-02 02:05:06 \(Asia\/Shanghai\)\r?\nNetwork address: 127\.0\.0\.1\r?\n/)
  t.ok(bodyOf(raw).includes(realName), 'the plain text is as it is')
  t.match(htmlOf(raw), '<td bgcolor="#7A1F3d"')
  t.match(htmlOf(raw), '&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
  t.notMatch(htmlOf(raw), '<img')
  for (const secret of Object.values(change)) t.notMatch(raw, secret)
})

for (const color of ['#fff', 'teal', '#14616f;x', '#14616g'])
  test(`the color ${color} is refused at the start`, async (t) => {
    await t.rejects(
      startServer(t, { settings: { branding: { color } } }),
      /branding\.color[^]*must be a color such as #14616f/,
    )
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
  t.equal(subjectOf(mail?.raw ?? ''), 'Rollcall: New sign-in to your account / 账号在新设备上登录')
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
