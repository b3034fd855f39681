import { test, type Test } from 'tap'
import { echo } from '../helpers/service/captcha.js'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { startServer, userPassword } from '../helpers/service/server.js'
import { importFile } from '../helpers/service/upload.js'

const victim = { username: 'victim', email: 'victim@example.com', phone: '13800138000' }
const home = '198.51.100.7'
const attackerPlace = '203.0.113.9'

/**
 * A victim with a device of its own, and an attacker whose user name is a contact of the victim, as stored by a version
 * that took such names.
 */
const start = async (t: Test, username: string) => {
  const server = await startServer(t, {
    environment: { ...echo, TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
    settings: {
      sms: { sender: 'log' },
      mail: { url: 'smtp://127.0.0.1:9' },
      rateLimits: { signIn: 100_000, captcha: 100_000 },
    },
  })
  await server.addUser(victim.username, { email: victim.email, phone: victim.phone })
  const { id } = await server.addUser('mallory', { email: 'mallory@example.com' })
  await server.app.db.users.change(id, { username }, server.clock.now())
  const post = (path: string, json: object, address: string, cookie?: string) =>
    server.call('POST', path, {
      json,
      headers: { 'x-forwarded-for': address, ...(cookie === undefined ? {} : { cookie }) },
    })
  const cookieOf = async (name: string, address: string): Promise<string> => {
    const answer = await post('/auth/login', { username: name, password: userPassword }, address)
    expectSuccess(t, answer)
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }
  return { server, post, cookieOf }
}

const another = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

/** The contact that the attacker has as a user name, as it can be written, and the sign-in by a code sent to it. */
const rows: [sentence: string, username: string, channel: 'email' | 'sms', recipient: object, authType: string][] = [
  ['an e-mail address', victim.email, 'email', { email: victim.email }, 'email_captcha'],
  ['an e-mail address in capitals', 'VICTIM@example.com', 'email', { email: victim.email }, 'email_captcha'],
  ['a phone number', '+8613800138000', 'sms', { phone: victim.phone }, 'phone_captcha'],
]

for (const [sentence, username, channel, recipient, authType] of rows) {
  test(`${sentence} as a user name of somebody else: wrong codes there do not stop the owner`, async (t) => {
    const { post, cookieOf } = await start(t, username)
    const owner = await cookieOf(victim.username, home)
    const attacker = await cookieOf(username, attackerPlace)
    const { code, codeKey } = expectSuccess(t, await post(`/auth/captcha/${channel}`, recipient, home, owner)) as {
      code: string
      codeKey: string
    }
    const tries = []
    for (let index = 1; index <= 60; index++) {
      const json = { authType, ...recipient, code: another(code, index) }
      tries.push(await post('/auth/login', json, attackerPlace, attacker))
    }
    // The share of strangers for one address: 2 tries of a code that they have not requested.
    t.equal(tries.filter(({ status }) => status === 400).length <= 5, true, 'codes that were checked')
    t.notOk(tries.some(({ status }) => status === 200))
    expectSuccess(t, await post('/auth/login', { authType, ...recipient, code, codeKey }, home, owner))
  })

  test(`${sentence} as a user name of somebody else: a reset of the own password gives no further tries`, async (t) => {
    const { server, post, cookieOf } = await start(t, username)
    const attacker = await cookieOf(username, attackerPlace)
    let checked = 0
    for (let round = 0; round < 8; round++) {
      const asked = await post(`/auth/captcha/${channel}`, recipient, attackerPlace, attacker)
      const codeKey = asked.status === 200 ? (asked.body.data.codeKey as string) : undefined
      for (let index = 0; index < 10; index++) {
        const json = { authType, ...recipient, code: '000000', ...(codeKey === undefined ? {} : { codeKey }) }
        const answer = await post('/auth/login', json, attackerPlace, attacker)
        if (answer.status === 400) checked += 1
      }
      server.clock.advance(61)
      const forgot = await post('/auth/password/forgot', { recipient: 'mallory@example.com' }, attackerPlace, attacker)
      if (forgot.status !== 200) continue
      const { code, codeKey: resetKey } = forgot.body.data as { code: string; codeKey: string }
      const json = { recipient: 'mallory@example.com', code, codeKey: resetKey, newPassword: `a new kettle ${round}` }
      expectSuccess(t, await post('/auth/password/reset', json, attackerPlace, attacker))
    }
    t.ok(checked <= 20, `${checked} codes of the victim were checked`)
  })
}

test('a new user name that reads as a contact of somebody else is refused, wherever it comes from', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const add = (json: object) =>
    server.call('POST', '/system/user', { token, json: { password: userPassword, realName: 'x', ...json } })
  const refused = [
    'victim@example.com',
    'VICTIM@EXAMPLE.COM',
    'victim＠example.com',
    'a@b',
    '+8613800138000',
    '＋8613800138000',
    '+1x',
    '13800138000',
    '１３８００１３８０００',
    '138 0013 8000',
    '008613800138000',
  ]
  for (const username of refused) expectProblem(t, await add({ username }), 'invalid_request', ['username'])
  const allowed = ['20231234567', '1380013800', '4711', '00123', 'alice.liddell', '138-abc']
  for (const username of allowed) expectSuccess(t, await add({ username }))
  const own = [
    { username: 'Carol@Example.com', email: 'carol@example.com' },
    { username: '+8613900138000', phone: '13900138000' },
    { username: '13900138001', phone: '+8613900138001' },
  ]
  for (const account of own) expectSuccess(t, await add(account))
  const { id } = expectSuccess(t, await add({ username: 'dave', email: 'dave@example.com' })) as { id: number }
  const edit = (json: object) => server.call('PATCH', `/system/user/${id}`, { token, json })
  expectProblem(t, await edit({ username: 'victim@example.com' }), 'invalid_request', ['username'])
  expectProblem(t, await edit({ username: 'dave@example.com', email: 'd@example.com' }), 'invalid_request', [
    'username',
  ])
  expectSuccess(t, await edit({ username: 'dave@example.com' }))
  expectSuccess(t, await edit({ username: 'e@example.com', email: 'e@example.com' }))
})

test('an import takes a contact as a user name only in the row that has the contact', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const content =
    'username,email,phone\na@example.com,a@example.com,\nb@example.com,a2@example.com,\n13800138000,,13800138000\n13900138000,,\n'
  const report = expectSuccess(t, await importFile(server, token, content))
  t.match(report, { added: 0, refused: 2 })
  t.same(
    report.errors.map(({ rowNum, field }: Record<string, unknown>) => [rowNum, field]),
    [
      [3, 'username'],
      [5, 'username'],
    ],
  )
})

test('a user name from an earlier version that reads as a contact stays when the rest of the account changes', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const { id } = await server.addUser('frank')
  await server.app.db.users.change(id, { username: 'old@example.com' }, server.clock.now())
  const json = { username: 'Old@example.com', realName: 'Frank' }
  expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { token, json }))
  const login = { username: 'old@example.com', password: userPassword }
  expectSuccess(t, await server.call('POST', '/auth/login', { json: login }))
})
