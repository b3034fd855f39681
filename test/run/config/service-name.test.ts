import { test } from 'tap'
import { withOneName } from '../../../plugins/run/config/service-name.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { htmlOf, subjectOf } from '../../helpers/peers/mail-server.js'
import { email, startWithMessages } from '../../helpers/service/self-service.js'
import { userPassword } from '../../helpers/service/server.js'

type Row = [about: string, settings: Record<string, unknown>, pages: string | null, elsewhere: string]
const rows: Row[] = [
  ['without both it is the preset, and a front end may have a name of its own', {}, null, 'Rollcall'],
  ['serviceName alone', { serviceName: 'Acme People' }, 'Acme People', 'Acme People'],
  ['systemName, while the other one is the preset', { branding: { systemName: 'Acme' } }, 'Acme', 'Acme'],
  ['a blank one is none', { serviceName: 'Acme People', branding: { systemName: ' ' } }, 'Acme People', 'Acme People'],
  ['both, each where it is', { serviceName: 'Acme Mail', branding: { systemName: 'Acme' } }, 'Acme', 'Acme Mail'],
]

for (const [about, settings, pages, elsewhere] of rows) {
  test(`pages, mails, text messages and authenticator apps have the name of the service: ${about}`, async (t) => {
    const { server, mailServer, gateway, mailAfter, post, textMessages } = await startWithMessages(t, {
      settings: { ...settings, captcha: { mode: 'never' } },
    })
    t.equal(expectSuccess(t, await server.call('GET', '/auth/loginConfig')).systemName, pages)

    const text = await mailAfter(() => post('/auth/captcha/email', { email }))
    const [{ raw } = { raw: '' }] = mailServer.mails
    for (const part of [text, htmlOf(raw), subjectOf(raw)]) {
      t.match(part, elsewhere)
      if (elsewhere !== 'Rollcall') t.notMatch(part, /Rollcall(?! <)/)
    }
    await post('/auth/captcha/sms', { phone: '13800138000' })
    await gateway.waitFor(1)
    t.match(textMessages()[0]?.text, elsewhere)

    const { accessToken: token } = await server.signIn('alice', userPassword)
    const app = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }))
    t.equal(new URL(app.uri).searchParams.get('issuer'), elsewhere)

    const newPassword = elsewhere.toLowerCase().padEnd(8, '1')
    const json = { oldPassword: userPassword, newPassword }
    expectProblem(t, await server.call('POST', '/auth/changePassword', { token, json }), 'invalid_request', [
      'newPassword',
    ])
  })
}

test('a long name of the pages is cut for authenticator apps and messages', (t) => {
  const { serviceName, branding } = withOneName({ serviceName: 'Rollcall', branding: { systemName: '登'.repeat(300) } })
  t.equal(serviceName, '登'.repeat(100))
  t.equal(branding.systemName, '登'.repeat(300))
  t.end()
})
