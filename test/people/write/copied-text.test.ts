import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'

/** What comes along unseen with a copied text. */
const signs = [
  ...[
    '\u{ad}',
    '\u{61c}',
    '\u{200b}',
    '\u{200e}',
    '\u{200f}',
    '\u{202a}',
    '\u{202b}',
    '\u{202c}',
    '\u{202d}',
    '\u{202e}',
  ],
  ...['\u{2060}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}', '\u{fe00}', '\u{fe0f}'],
]
/** The text with a sign before, in and after it. */
const around = (sign: string, text: string) => `${sign}${text.slice(0, 2)}${sign}${text.slice(2)}${sign}`
const nameOf = (sign: string) => `U+${sign.codePointAt(0)?.toString(16)}`

const phone = '13800138000'
const email = 'alice@example.com'

const start = async (t: Test) => {
  const server = await startServer(t, {
    environment: { ROLLCALL_DEV_ECHO: '1', SMTP_URL: 'smtp://127.0.0.1:9' },
    settings: {
      captcha: { mode: 'never' },
      registration: { mode: 'open' },
      sms: { sender: 'log' },
      clients: { pc: { maxSessions: 100 } },
    },
  })
  const { accessToken: token } = await server.signIn()
  return { server, token }
}

test('signs around a copied name, number, address or code change nothing at a sign-in', async (t) => {
  const { server } = await start(t)
  const { id } = await server.addUser('alice', { phone, email })
  for (const sign of signs) {
    const login = (json: object) => server.call('POST', '/auth/login', { json })
    t.equal(
      expectSuccess(t, await login({ username: around(sign, 'alice'), password: userPassword })).userInfo.userId,
      id,
    )
    for (const [path, authType, field, text] of [
      ['/auth/captcha/sms', 'phone_captcha', 'phone', phone],
      ['/auth/captcha/email', 'email_captcha', 'email', email],
    ] as const) {
      server.clock.advance(61)
      const { code } = expectSuccess(t, await server.call('POST', path, { json: { [field]: around(sign, text) } }))
      const json = { authType, [field]: around(sign, text), code: around(sign, code) }
      t.equal(expectSuccess(t, await login(json)).userInfo.userId, id, `${nameOf(sign)} in ${field}`)
    }
  }
  // A password is what was typed.
  const json = { username: 'alice', password: around('\u{200e}', userPassword) }
  expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_credentials')
})

test('none of them makes a second account, and none is stored', async (t) => {
  const { server, token } = await start(t)
  await server.addUser('alice', { phone, email })
  for (const [index, sign] of signs.entries()) {
    const add = (json: object) =>
      server.call('POST', '/system/user', { token, json: { password: userPassword, ...json } })
    for (const taken of [
      { username: around(sign, 'alice') },
      { username: `other-${index}`, phone: around(sign, phone) },
      { username: `other-${index}`, email: around(sign, email) },
    ])
      t.match((await add(taken)).body.data.violations, [{ message: /taken|already/ }], JSON.stringify(taken))
    const free = String(13900139000 + index)
    const added = expectSuccess(
      t,
      await add({
        username: around(sign, `user-${index}`),
        realName: around(sign, `Name ${index}`),
        phone: around(sign, free),
        email: around(sign, `user-${index}@example.com`),
      }),
    )
    t.match(added, {
      username: `user-${index}`,
      realName: `Name ${index}`,
      phone: free,
      email: `user-${index}@example.com`,
    })
  }
})

test('nor do they in a file or in a registration, and filters find through them', async (t) => {
  const { server, token } = await start(t)
  await server.addUser('alice', { phone, email })
  for (const [index, sign] of signs.entries()) {
    const line = [`file-${index}`, String(13700137000 + index), `file-${index}@example.com`].map((cell) =>
      around(sign, cell),
    )
    const head = 'username,phone,email\n'
    const taken = (await importFile(server, token, `${head}${around(sign, 'alice')},,\n`)).body.data
    t.match(taken, { added: 0, refused: 1 }, nameOf(sign))
    const report = (await importFile(server, token, `${head}${line.join()}\n`)).body.data
    t.match(report, { added: 1, refused: 0 }, nameOf(sign))
    for (const [filter, text] of Object.entries({
      username: `file-${index}`,
      phone: String(13700137000 + index),
      email: `file-${index}@example.com`,
    })) {
      const query = { [filter]: around(sign, text) }
      const { records } = expectSuccess(t, await server.call('GET', '/system/user/page', { token, query }))
      t.same(
        records.map(({ username }: { username: string }) => username),
        [`file-${index}`],
        `${filter} with ${nameOf(sign)}`,
      )
    }
    const recipient = `joined-${index}@example.com`
    const sent = await server.call('POST', '/auth/register/code', { json: { recipient: around(sign, recipient) } })
    const { code, codeKey } = expectSuccess(t, sent)
    const json = { username: around(sign, `joined-${index}`), password: userPassword, email: around(sign, recipient) }
    const joined = expectSuccess(t, await server.call('POST', '/auth/register', { json: { ...json, code, codeKey } }))
    t.equal(joined.username, `joined-${index}`)
    server.clock.advance(61)
  }
})
