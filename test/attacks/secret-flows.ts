import { hash } from '@node-rs/argon2'
import type { Test } from 'tap'
import { basic, reportsSecret } from '../helpers/service/resource-server.js'
import type { Answer, CallOptions } from '../helpers/service/server.js'
import { adminPassword, userPassword } from '../helpers/service/server.js'
import { importFile } from '../helpers/service/upload.js'
import { another } from '../helpers/service/self-service.js'
import type { WithSecrets } from './secret-server.js'

export const phone = '13800138000'
export const email = 'alice@example.com'
const jsonType = { 'content-type': 'application/json' }
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

export const createFlows = (t: Test, { server, collector, mailedCode, textedCode, provider }: WithSecrets) => {
  const { call, keep } = collector
  const post = (path: string, json: object, more: CallOptions = {}) => call('POST', path, { json, ...more })
  const login = (json: object, more: CallOptions = {}) => post('/auth/login', json, more)
  // Without a line for each in the output, which would show the answer.
  const works = ({ status, body }: Answer) => {
    if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`)
    return body.data
  }
  const refused = (answer: Answer, where: string) => t.ok(answer.status >= 400, `${where} is refused: ${answer.text}`)
  /** Codes to one recipient are a minute apart. */
  const later = () => server.clock.advance(61)
  const adminToken = async (): Promise<string> =>
    works(await login({ username: 'admin', password: adminPassword })).accessToken as string

  const visit = async (platform = 'corporate', subject = 'alice', token?: string) => {
    const began = await call('GET', `/social/authUrl/${platform}`, token === undefined ? {} : { token })
    const headers = { cookie: began.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    const { authUrl, verifier } = works(began)
    return { platform, ...provider(platform).visit(authUrl, subject), verifier, headers }
  }
  const ticketOf = async (subject = 'alice', token?: string): Promise<string> => {
    const { headers, ...visited } = await visit('corporate', subject, token)
    return works(await post('/social/callback', visited, { headers })).socialTicket as string
  }

  return {
    adminToken,

    async signIns() {
      works(await login({ username: 'alice', password: userPassword }))
      refused(await login({ username: 'alice', password: 'wrong horse battery' }), 'a wrong password')
      refused(await login({ username: 'nobody', password: 'wrong horse staple' }), 'an unknown name')
      const captcha = works(await call('GET', '/auth/captcha'))
      const { code, codeKey } = captcha
      const withCaptcha = { authType: 'password_captcha', username: 'alice', password: userPassword, codeKey }
      refused(await login({ ...withCaptcha, code: 'wrongone' }), 'a wrong captcha')
      refused(await login({ ...withCaptcha, code }), 'a captcha that was used')
      const next = works(await call('GET', '/auth/captcha'))
      works(await login({ ...withCaptcha, codeKey: next.codeKey, code: next.code }))
      for (const [authType, recipient, path, codeOf] of [
        ['email_captcha', { email }, '/auth/captcha/email', mailedCode],
        ['phone_captcha', { phone }, '/auth/captcha/sms', textedCode],
      ] as const) {
        const sent = await codeOf(async () => works(await post(path, recipient)))
        refused(await login({ authType, ...recipient, code: another(sent) }), `a wrong code of ${authType}`)
        works(await login({ authType, ...recipient, code: sent }))
        refused(await login({ authType, ...recipient, code: sent }), 'a code that was used')
        later()
      }
    },

    async federated() {
      const { code: authCode, headers, state, verifier } = await visit()
      refused(await login({ authType: 'oauth2', authCode, state: `${state}x`, verifier }, { headers }), 'a wrong state')
      const good = await visit()
      const json = { authType: 'oauth2', authCode: good.code, state: good.state, verifier: good.verifier }
      works(await login(json, { headers: good.headers }))
      refused(await login(json, { headers: good.headers }), 'a state that was used')
      const socialTicket = await ticketOf()
      works(await login({ authType: 'social', socialTicket }))
      refused(await login({ authType: 'social', socialTicket }), 'a ticket that was used')
      refused(await login({ authType: 'social', socialTicket: 'f'.repeat(64) }), 'an invented ticket')
      const { headers: cookies, ...talkative } = await visit('talkative')
      refused(await post('/social/callback', talkative, { headers: cookies }), 'what a provider refuses')
      const again = await visit('talkative')
      const asLogin = { authType: 'oauth2', authCode: again.code, state: again.state, verifier: again.verifier }
      refused(await login(asLogin, { headers: again.headers }), 'what a provider refuses')
      const query = new URLSearchParams({ code: again.code, state: again.state }).toString()
      refused(await call('GET', `/social/callback?${query}`), 'a callback by GET')
    },

    async tokens() {
      const { accessToken: first } = works(await login({ username: 'alice', password: userPassword }))
      const { accessToken: second } = works(await call('POST', '/auth/refreshToken', { token: first }))
      works(await call('GET', '/auth/userInfo', { token: second }))
      works(await call('GET', '/auth/current/permissions', { token: second }))
      for (const token of [`${second}x`, second.slice(0, -4), `${second}.${second}`, 'not-a-token-at-all']) {
        refused(await call('GET', '/auth/userInfo', { token }), 'a forged token')
        refused(await call('GET', '/auth/check', { token }), 'a forged token')
      }
      const other = { headers: { authorization: `Basic ${second}` } }
      refused(await call('GET', '/auth/userInfo', other), 'another scheme')
      const authorization = basic('reports', reportsSecret)
      const ask = (token: string, header = authorization) =>
        call('POST', '/auth/introspect', { form: { token }, headers: { authorization: header } })
      t.match((await ask(second)).body, { active: true })
      t.match((await ask(`${second}x`)).body, { active: false })
      refused(await ask(second, basic('reports', keep('a-wrong-secret-of-reports'))), 'a wrong client secret')
      refused(await ask(second, keep('no-scheme-for-a-client-secret')), 'no scheme')
      const inBody = { token: second, client_id: 'reports', client_secret: reportsSecret }
      refused(await call('POST', '/auth/introspect', { form: inBody }), 'a secret in the body')
      works(await call('GET', '/auth/check', { token: second }))
      refused(await call('GET', '/auth/check', { token: second, query: 'permission=a:b:c' }), 'a permission')
      refused(await call('GET', '/auth/check', { headers: { authorization } }), 'a client where a user is asked for')
      works(await call('GET', '/auth/sessions', { token: second }))
      works(await call('POST', '/auth/logout', { token: second }))
      refused(await call('GET', '/auth/userInfo', { token: second }), 'an ended session')
      // An old token ends the session of a thief and of its owner.
      const { accessToken: stolen } = works(await login({ username: 'alice', password: userPassword }))
      works(await call('POST', '/auth/refreshToken', { token: stolen }))
      later()
      await call('POST', '/auth/refreshToken', { token: stolen })
    },

    async passwords() {
      const { accessToken: token } = works(await login({ username: 'alice', password: userPassword }))
      const change = (oldPassword: string, newPassword: string) =>
        post('/auth/changePassword', { oldPassword, newPassword }, { token })
      refused(await change('wrong horse button', 'violet umbrella stand'), 'a wrong old password')
      refused(await change(userPassword, 'short1'), 'a short password')
      refused(await change(userPassword, 'password123'), 'a common password')
      refused(await change(userPassword, userPassword), 'the same password')
      works(await change(userPassword, 'violet umbrella stand'))
      // As old clients do it.
      const query = { oldPassword: 'violet umbrella stand', newPassword: 'brass kettle whistle' }
      works(await call('POST', '/auth/changePassword', { token, query, headers: formType }))
      refused(await call('POST', '/auth/changePassword', { token, query, headers: formType }), 'an old password')
      refused(await call('PUT', '/system/user/changePassword', { token, query }), 'another route of old clients')
      later()
      const code = await mailedCode(async () => works(await post('/auth/password/forgot', { recipient: email })))
      const reset = { recipient: email, code, newPassword: 'green umbrella stand' }
      refused(await post('/auth/password/reset', { ...reset, code: another(code) }), 'a wrong code')
      refused(await post('/auth/password/reset', { ...reset, newPassword: 'short2' }), 'a short password')
      works(await post('/auth/password/reset', reset))
      refused(await post('/auth/password/reset', reset), 'a code that was used')
      const admin = await adminToken()
      const { id } = await server.app.accounts.findUser('alice', 1)
      works(await post(`/system/user/${id}/password`, { password: 'given umbrella stand' }, { token: admin }))
      refused(await post(`/system/user/${id}/password`, { password: 'short3' }, { token: admin }), 'a short password')
      refused(
        await call('PATCH', `/system/user/${id}`, { token: admin, json: { password: 'patched umbrella' } }),
        'a password in an edit',
      )
    },

    async registration() {
      const recipient = 'bob@example.com'
      const code = await mailedCode(async () => works(await post('/auth/register/code', { recipient })))
      const json = { username: 'bob', password: 'registered umbrella', email: recipient, code }
      refused(await post('/auth/register', { ...json, code: another(code) }), 'a wrong code')
      refused(await post('/auth/register', { ...json, password: 'short4' }), 'a short password')
      works(await post('/auth/register', json))
      const { accessToken: token } = works(await login({ username: 'bob', password: json.password }))
      const renew = async (to: string, codeOf: typeof mailedCode) => {
        later()
        return codeOf(async () => works(await post('/auth/profile/code', { recipient: to }, { token })))
      }
      const emailCode = await renew('bob@new.example', mailedCode)
      const patch = (body: object) => call('PATCH', '/auth/profile', { token, json: body })
      refused(await patch({ email: 'bob@new.example', emailCode: another(emailCode) }), 'a wrong code')
      works(await patch({ email: 'bob@new.example', emailCode }))
      works(await patch({ phone: '13900139000', phoneCode: await renew('13900139000', textedCode) }))
      const link = await ticketOf('bob', token)
      works(await post('/social/bind', { socialTicket: link }, { token }))
      refused(await post('/social/bind', { socialTicket: link, password: json.password }, { token }), 'a used ticket')
      refused(
        await post('/social/bind', { socialTicket: await ticketOf('bob'), password: 'wrong horse saddle' }, { token }),
        'a ticket of another session',
      )
    },

    async administration() {
      const token = await adminToken()
      works(await post('/system/user', { username: 'carol', password: 'carols umbrella' }, { token }))
      refused(
        await post('/system/user', { username: 'carol', password: 'carols other one' }, { token }),
        'a taken name',
      )
      const invitation = await mailedCode(async () =>
        works(await post('/system/user', { username: 'dora', email: 'dora@example.com' }, { token })),
      )
      const reset = { recipient: 'dora@example.com', code: invitation, newPassword: 'doras umbrella stand' }
      works(await post('/auth/password/reset', reset))
      const add = { username: 'erna', realName: 'Erna', password: 'ernas umbrella' }
      works(await post('/system/user', add, { token }))
      const imported = keep(await hash('fionas umbrella', { memoryCost: 19456, timeCost: 2 }), 'an imported hash')
      const upload = (text: string) => importFile({ call }, token, text)
      const rows = [`fiona,,"${imported}"`, `gina,${keep('ginas umbrella')},`]
      t.match(works(await upload(`username,password,passwordHash\n${rows.join('\n')}\n`)), { added: 2 })
      works(await login({ username: 'fiona', password: 'fionas umbrella' }))
      const faulty = [
        `hilda,${keep('short5')},`,
        `admin,${keep('of a taken name')},`,
        `ida,,"${keep('$argon2id$v=19$m=1048576,t=100,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNo')}"`,
        `jane,,${keep('md5:0123456789abcdef')}`,
        `kate,${keep('both a password')},${keep('and-some-hash')}`,
      ]
      t.match(works(await upload(`username,password,passwordHash\n${faulty.join('\n')}\n`)), { refused: 5 })
      refused(await upload(`username,password\n"lisa,${keep('in an open quote')}`), 'half a file')
      refused(await upload(`${keep('a-secret-column')}\nmona\n`), 'an unknown column')
      works(await login({ username: 'fiona', password: 'fionas umbrella' }))
    },

    async malformed() {
      const { accessToken: token } = works(await login({ username: 'admin', password: adminPassword }))
      const paths = [
        '/auth/login',
        '/auth/changePassword',
        '/auth/password/reset',
        '/auth/register',
        '/social/callback',
      ]
      const bodies = [
        `{"password":"${keep('in half an object')}"`,
        `{"password":${keep('kettle99whistle')}}`,
        keep('kettle77whistle'),
        `'${keep('single quoted one')}'`,
        `{"username":"alice","password":"${keep('with a line')}\n"}`,
        `{"__proto__":{"password":"${keep('in a prototype')}"}}`,
        `{"password":["${keep('in an array')}"],"code":{"a":"${keep('in an object')}"}}`,
        `{"password":{"secret":"${keep('in the inside')}"},"oldPassword":["${keep('as an old one')}"]}`,
        `"${keep('a text alone')}"`,
        `{"password":"${keep('above the limit ').repeat(8000)}"}`,
        `{"${keep('as a name of a field')}":1,"password":12}`,
      ]
      for (const path of [...paths, '/system/user', '/system/user/1/password']) {
        for (const raw of bodies) await call('POST', path, { token, raw, headers: jsonType })
        const other = { 'content-type': 'text/plain' }
        await call('POST', path, { token, raw: keep('in plain text'), headers: other })
        const form = `password=${keep('%zz-percent')}&password=${keep('given-twice')}&password=${keep('given-thrice')}`
        await call('POST', path, { token, raw: form, headers: formType })
        await call('POST', path, { token, raw: keep('neither field nor value'), headers: formType })
      }
      const query = new URLSearchParams({
        token,
        accessToken: token,
        password: keep('in a query string'),
        secret: keep('a secret in a query'),
        code: keep('a-code-in-a-query'),
      }).toString()
      for (const [method, path] of [
        ['GET', '/nowhere'],
        ['DELETE', '/auth/login'],
        ['GET', '/auth/login'],
        ['GET', '/auth/userInfo'],
        ['GET', '/system/user/page'],
        ['GET', '/system/user/none'],
        ['GET', '/%zz'],
        ['POST', '/auth/logout'],
        ['GET', '/auth/captcha'],
        ['GET', '/social/authUrl/none'],
      ] as const) {
        await call(method, `${path}?${query}`, {})
      }
      await call('GET', `/auth/userInfo`, { token: keep('a-token-that-is-none') })
      await call('GET', '/auth/userInfo', { headers: { authorization: keep('without-any-scheme') } })
      await call('GET', '/auth/userInfo', { headers: { cookie: `rollcall_browser=${keep('an-invented-cookie')}` } })
    },
  }
}
