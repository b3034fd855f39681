import { test } from 'tap'
import { startServer } from '../helpers/service/server.js'
import { federation } from '../helpers/peers/openid-provider.js'

const provider = {
  platform: 'github',
  kind: 'github',
  clientId: 'id',
  clientSecret: 'secret',
  redirectUris: ['https://console.example.com/social'],
}

/** What a guess looks like, for every method. */
const guesses: Record<string, (index: number) => object> = {
  password: () => ({ username: 'alice', password: 'wrong horse battery' }),
  password_captcha: () => ({ username: 'alice', password: 'wrong horse battery' }),
  phone_captcha: (index) => ({ phone: '13800138000', code: String(index).padStart(6, '0') }),
  email_captcha: (index) => ({ email: 'alice@example.com', code: String(index).padStart(6, '0') }),
  oauth2: (index) => ({ socialTicket: String(index).padStart(64, '0') }),
  social: (index) => ({ socialTicket: String(index).padStart(64, '0') }),
}

/** What comes with a ticket or a code of a provider names nobody, and a whole office may share its address. */
const isNamed = (authType: string) => !['oauth2', 'social'].includes(authType)

for (const [authType, guess] of Object.entries(guesses)) {
  test(`L3: ${authType}: of 120 wrong tries at most 50 are looked at`, async (t) => {
    const server = await startServer(t, {
      environment: { SMTP_URL: 'smtp://127.0.0.1:1', ROLLCALL_DEV_ECHO: '1' },
      settings: { captcha: { mode: 'never' }, sms: { sender: 'log' }, ...federation([provider]) },
    })
    await server.addUser('alice', { phone: '13800138000', email: 'alice@example.com' })
    const captcha = async () => {
      if (authType !== 'password_captcha') return {}
      const { body } = await server.call('GET', '/auth/captcha')
      return { code: body.data.code, codeKey: body.data.codeKey }
    }
    let looked = 0
    let paused = 0
    for (let index = 0; index < 120; index++) {
      const json = { authType, ...guess(index), ...(await captcha()) }
      const { status } = await server.call('POST', '/auth/login', { json })
      if (status === 400) looked++
      if (status === 429) paused++
    }
    t.equal(looked, isNamed(authType) ? 5 : 50)
    t.equal(looked + paused, 120)
  })
}

test('L3: what is no method is refused, whatever comes with it', async (t) => {
  const server = await startServer(t)
  for (const authType of ['PASSWORD', 'admin', 'none', '__proto__', 'constructor', 'password ', 'refresh_token']) {
    const json = { authType, username: 'admin', password: 'correct horse battery' }
    const { body } = await server.call('POST', '/auth/login', { json })
    t.match(body, { code: 400, data: { reason: 'unsupported_auth_type' } }, authType)
  }
})
