import { test } from 'tap'
import { echo, solvedCaptcha } from '../../helpers/service/captcha.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { email, startWithMessages } from '../../helpers/service/self-service.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const wide = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0))
const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)] as const

/** How people copy a code from a picture or a message. */
const spellings: [sentence: string, spell: (code: string) => string][] = [
  ['with full-width characters', wide],
  ['in full-width capitals and small letters', (code) => wide(code.toLowerCase())],
  ['in two groups', (code) => halves(code).join(' ')],
  ['with a hyphen', (code) => halves(code).join('-')],
  ['with a hyphen that does not break', (code) => halves(code).join('\u2011')],
  ['with a dash', (code) => halves(code).join('\u2013')],
  ['with a minus sign', (code) => halves(code).join('\u2212')],
  ['with an ideographic space', (code) => ` ${halves(code).join('\u3000')}\u00a0`],
  ['with a zero-width space', (code) => `${code}\u200b`],
  ['each character alone', (code) => [...code].join(' ')],
]

test('a captcha is solved however its letters are typed', async (t) => {
  const server = await startServer(t, { environment: echo })
  for (const [sentence, spell] of spellings) {
    const { codeKey, code } = await solvedCaptcha(server)
    const json = {
      authType: 'password_captcha',
      username: 'admin',
      password: adminPassword,
      codeKey,
      code: spell(code),
    }
    await t.test(sentence, async (t) => expectSuccess(t, await server.call('POST', '/auth/login', { json })))
  }
  const { codeKey, code } = await solvedCaptcha(server)
  const json = { authType: 'password_captcha', username: 'admin', password: adminPassword, codeKey, code: `${code}/` }
  expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_code')
})

test('a one-time code is right however its digits are typed, and used once', async (t) => {
  const { server, post, mailedCode } = await startWithMessages(t)
  let code = ''
  for (const [sentence, spell] of spellings) {
    server.clock.advance(3600)
    code = await mailedCode(() => post('/auth/captcha/email', { email }))
    const json = { authType: 'email_captcha', email, code: spell(code) }
    await t.test(sentence, async (t) => expectSuccess(t, await post('/auth/login', json)))
  }
  expectProblem(t, await post('/auth/login', { authType: 'email_captcha', email, code: wide(code) }), 'invalid_code')
})

test('so is the code that resets a password', async (t) => {
  const { post, mailedCode } = await startWithMessages(t)
  const code = await mailedCode(() => post('/auth/password/forgot', { recipient: email }))
  const newPassword = 'violet umbrella stand'
  expectSuccess(
    t,
    await post('/auth/password/reset', { recipient: email, code: wide(halves(code).join(' - ')), newPassword }),
  )
  expectSuccess(t, await post('/auth/login', { username: 'alice', password: newPassword }))
})
