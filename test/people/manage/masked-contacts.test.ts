import { test, type Test } from 'tap'
import { createCli } from '../../helpers/processes/cli.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { formats, tableIn } from '../../helpers/service/file-formats.js'
import { serve } from '../../helpers/service/serve.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { signInAs } from '../../helpers/service/users.js'

const permissions = ['system:audit:list', 'system:loginlog:list']
const phone = '13800138001'
const email = 'plain@example.com'
const isContact = /138\D*0013\D*8001|１３８|plain[@＠]/

/** A user whose contacts are in the audit trail and in the login log, in every form in which they can be sent. */
const start = async (t: Test) => {
  const server = await startServer(t)
  const { accessToken: admin } = await server.signIn()
  const json = { username: 'grace', phone, email, password: userPassword }
  const { id } = expectSuccess(t, await server.call('POST', '/system/user', { token: admin, json }))
  await server.app.accounts.verifyContacts('grace', { phone: true, email: true })
  const change = { token: admin, json: { phone: '13900139002', email: 'other@example.com' } }
  for (const { token, json } of [change, { ...change, json: { phone, email } }])
    expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { token, json }))
  const attempt = (username: string) =>
    server.call('POST', '/auth/login', { json: { username, password: 'wrong horse battery' } })
  for (const username of [`+86${phone}`, email]) expectProblem(t, await attempt(username), 'invalid_credentials')
  // As methods of an application may submit them.
  const event = { time: server.clock.now(), tenantId: 1, userId: id, authType: 'badge', userClient: 'pc', reason: null }
  const subjects = [phone, '0086 138 0013 8001', '１３８００１３８００１', 'plain＠example.com', 'grace']
  for (const subject of subjects)
    await server.app.db.loginLog.add({ ...event, subject, address: '', userAgent: '' }, null)
  const masked = await signInAs(server, 'auditor', { permissions })
  const seeing = await signInAs(server, 'trusted', { permissions: [...permissions, 'system:user:contact'] })
  return { server, id: String(id), masked, seeing }
}

test('the audit trail masks contacts for callers who may not see them', async (t) => {
  const { server, id, masked, seeing } = await start(t)
  const page = (token: string) => server.call('GET', '/system/audit/page', { token, query: { targetId: id } })
  const answer = await page(masked)
  const shown = { phone: '138******8001', email: 'p******n@example.com' }
  t.match(expectSuccess(t, answer).records, [
    { action: 'user.edit', after: shown },
    { action: 'user.edit', before: shown, after: { phone: '139******9002', email: 'o******r@example.com' } },
    { action: 'user.verify', after: { contacts: ['+86******8001', 'p******n@example.com'] } },
    { action: 'user.add', after: { ...shown, username: 'grace', realName: 'grace' } },
  ])
  t.notMatch(answer.text, isContact)
  t.notMatch(answer.text, /139\D*0013|other@/)
  t.match(expectSuccess(t, await page(seeing)).records[3], { after: { phone, email } })
})

test('the login log masks contacts for callers who may not see them, in every form', async (t) => {
  const { server, masked, seeing } = await start(t)
  const path = '/system/login-log/page?pageSize=100&isAsc=asc&orderByColumn=time'
  const answer = await server.call('GET', path, { token: masked })
  const { records } = expectSuccess(t, answer)
  t.same(
    records.map(({ subject }: { subject: string }) => subject),
    [
      'admin',
      '+86******8001',
      'p******n@example.com',
      '138******8001',
      '008******8001',
      '138******8001',
      'p******n@example.com',
      'grace',
      'auditor',
      'trusted',
    ],
  )
  t.notMatch(answer.text, isContact)
  t.match(expectSuccess(t, await server.call('GET', path, { token: seeing })).records[1], { subject: `+86${phone}` })
})

test('a filter of the login log confirms no guess of a contact that is masked', async (t) => {
  const { server, masked, seeing } = await start(t)
  const rows: [subject: string, found: number | undefined][] = [
    [phone, undefined],
    [`+86${phone}`, undefined],
    ['138', undefined],
    ['0', undefined],
    ['８００１', undefined],
    [email, undefined],
    ['@', undefined],
    ['plain＠', undefined],
    ['******', undefined],
    ['plain', 0],
    ['example.com', 0],
    ['lain', 0],
    ['GRACE', 1],
    ['a******', 0],
  ]
  for (const [subject, found] of rows) {
    {
      const ask = (token: string) => server.call('GET', '/system/login-log/page', { token, query: { subject } })
      const answer = await ask(masked)
      if (found === undefined) expectProblem(t, answer, 'permission_denied')
      else t.equal(expectSuccess(t, answer).total, found, subject)
      expectSuccess(t, await ask(seeing))
    }
  }
  t.equal(
    expectSuccess(t, await server.call('GET', '/system/login-log/page', { token: seeing, query: { subject: 'plain' } }))
      .total,
    2,
  )
})

test('commands show contacts unmasked', async (t) => {
  const { done, directory } = await createCli(t)
  const server = await serve(t, directory)
  const input = userPassword
  await done(`user add --username grace --phone ${phone} --email ${email} --password-stdin`, { input })
  t.equal((await server.signIn(`+86${phone}`, userPassword)).status, 400)
  t.match(await done('audit'), /"phone":"13800138001","email":"plain@example.com"/)
  t.match(await done('log'), /\+8613800138001/)
})

test('the mask of a stored contact leaves it as it is, and nothing else that is masked is stored', async (t) => {
  const { server, id } = await start(t)
  const { accessToken: admin } = await server.signIn()
  const editing = ['system:user:view', 'system:user:edit']
  const editor = await signInAs(server, 'editor', { userType: 1, permissions: editing })
  const path = `/system/user/${id}`
  const stored = async () => server.app.db.users.find(Number(id))
  for (const token of [admin, editor]) {
    const shown = expectSuccess(t, await server.call('GET', path, { token: editor }))
    t.match(shown, { phone: '138******8001', email: 'p******n@example.com' })
    const json = { phone: shown.phone, email: shown.email, remark: token }
    expectSuccess(t, await server.call('PATCH', path, { token, json }))
    t.match(await stored(), { phone, email, remark: token })
  }
  const before = await stored()
  const masked = ['o******r@example.com', 'p******@example.com', 'p******n@example.org', '******@example.com']
  for (const masks of [...masked.map((email) => ({ email })), { phone: '139******8001' }]) {
    const [field = ''] = Object.keys(masks)
    const refuse = async (method: string, path: string, json: object) =>
      expectProblem(
        t,
        await server.call(method, path, { token: admin, json: { ...json, ...masks } }),
        'invalid_request',
        [field],
      )
    const user = { username: 'new', realName: 'New', password: userPassword }
    await refuse('PATCH', path, {})
    await refuse('POST', '/system/user', user)
    await refuse('PATCH', '/auth/profile', {})
    const table = [
      ['username', field],
      ['new', Object.values(masks).join('')],
    ]
    for (const format of formats) {
      const report = await importFile(server, admin, await tableIn(server, format, table))
      t.match(expectSuccess(t, report), { added: 0, refused: 1, errors: [{ field }] })
    }
  }
  t.same(await stored(), before)
  t.notOk(await server.app.db.users.findByUsername(1, 'new'))
  const own = { phone: '138******8001', email: 'p******n@example.com', gender: 2 }
  const { accessToken: grace } = await (async () => {
    await server.operator.setPassword('grace', userPassword, { forcePasswordChange: false })
    return server.signIn('grace', userPassword)
  })()
  expectSuccess(t, await server.call('PATCH', '/auth/profile', { token: grace, json: own }))
  t.match(await stored(), { phone, email, gender: 2 })
})

test('an address with single asterisks is an address', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  for (const [index, email] of ['a*b@example.com', '*@example.com', 'a*****b@example.com'].entries()) {
    const json = { username: `user${index}`, email, password: userPassword }
    t.match(expectSuccess(t, await server.call('POST', '/system/user', { token, json })), { email })
  }
})

test('contacts are masked for whoever may not see them, and only who sees them changes them', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('grace', { phone: '13800138000', email: 'grace@example.com' })
  const token = await signInAs(server, 'viewer', {
    userType: 1,
    permissions: ['system:user:view', 'system:user:edit'],
  })
  const seen = await server.call('GET', `/system/user/${id}`, { token })
  t.match(expectSuccess(t, seen), { phone: '138******8000', email: 'g******e@example.com' })
  t.notMatch(seen.text, /13800138000|grace@/)
  for (const json of [{ phone: '13900139000' }, { email: null }])
    expectProblem(t, await server.call('PATCH', `/system/user/${id}`, { token, json }), 'permission_denied')
  t.match(await server.app.db.users.find(id), { phone: '13800138000', email: 'grace@example.com' })
})
