import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, insertUsers } from '../../helpers/service/users.js'

test('a record has exactly the documented fields, and nothing secret', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  await operator.addRole('reader', 'Reader', ['system:user:*'])
  await operator.addRole('writer', 'Writer', ['system:user:edit'])
  const roles = ['writer', 'reader']
  const contacts = { phone: '+86 138 0013 8000', email: 'Alice.Liddell@Example.com' }
  await server.addUser('Alice', { realName: 'Alice Liddell', ...contacts, roles, userType: 1 })
  await server.signIn('Alice')
  const { accessToken: token } = await server.signIn()
  const answer = await askPage(server, token, { username: 'alice' })
  const data = expectSuccess(t, answer)
  t.same(Object.keys(data).sort(), ['current', 'pages', 'records', 'size', 'total'])
  const { id, ...record } = data.records[0]
  t.ok(Number.isInteger(id))
  t.same(record, {
    tenantId: 1,
    tenantName: 'Default',
    username: 'Alice',
    realName: 'Alice Liddell',
    userType: 1,
    gender: 0,
    phone: '138******8000',
    email: 'A******l@Example.com',
    avatar: null,
    userStatus: 1,
    forcePasswordChange: false,
    roleKeys: ['reader', 'writer'],
    remark: null,
    hasSecondFactor: false,
    bannedUntil: null,
    invitedTime: null,
    lastLoginTime: '2026-06-01T08:00:00.000Z',
    lastLoginIp: '127.0.0.1',
    loginCount: 1,
    createTime: '2026-06-01T08:00:00.000Z',
    updateTime: '2026-06-01T08:00:00.000Z',
  })
  t.notMatch(answer.text, /argon2|hash|password"|_key|secret|13800138000|Liddell@/i)
})

test('what is absent is null, and stored values come through', async (t) => {
  const server = await startServer(t)
  const columns = {
    gender: 2,
    avatar: 'https://example.com/a.png',
    user_status: 2,
    remark: '<b>"quoted"</b> 备注',
    last_login_time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    last_login_ip: '2001:db8::1',
    login_count: 41,
    update_time: Date.UTC(2026, 1, 3),
  }
  await insertUsers(server, [{ username: 'bare' }, { username: 'full', columns, forcePasswordChange: true }])
  const { accessToken: token } = await server.signIn()
  const [bare] = expectSuccess(t, await askPage(server, token, { username: 'bare' })).records
  for (const field of ['phone', 'email', 'avatar', 'remark', 'lastLoginTime', 'lastLoginIp']) t.equal(bare[field], null)
  t.match(bare, { roleKeys: [], loginCount: 0, gender: 0, userStatus: 1 })
  const [full] = expectSuccess(t, await askPage(server, token, { username: 'full' })).records
  t.match(full, {
    gender: 2,
    avatar: columns.avatar,
    userStatus: 2,
    forcePasswordChange: true,
    remark: columns.remark,
    lastLoginTime: '2026-01-02T03:04:05.006Z',
    lastLoginIp: '2001:db8::1',
    loginCount: 41,
    updateTime: '2026-02-03T00:00:00.000Z',
  })
})

test('phone numbers are masked but for the first three and last four characters', async (t) => {
  const server = await startServer(t)
  const rows: [phone: string, masked: string][] = [
    ['13800138000', '138******8000'],
    ['+8613900139000', '139******9000'],
    ['010 1234 5678', '010******5678'],
    ['+44 7911 123456', '+44******3456'],
    ['+1 202 555 0123', '+12******0123'],
    ['+65 8123 4567', '+65******4567'],
  ]
  const short = ['1', '123', '12345', '1234567']
  await insertUsers(server, [
    ...rows.map(([phone], index) => ({ username: `phone${index}`, phone })),
    ...short.map((phone, index) => ({ username: `short${index}`, columns: { phone, phone_key: phone } })),
  ])
  const { accessToken: token } = await server.signIn()
  for (const [index, [phone, masked]] of rows.entries()) {
    const answer = await askPage(server, token, { username: `phone${index}` })
    t.equal(expectSuccess(t, answer).records[0].phone, masked, phone)
    t.notMatch(answer.text, phone.replace(/\D/g, '').slice(-9))
  }
  for (const [index, phone] of short.entries()) {
    const [record] = expectSuccess(t, await askPage(server, token, { username: `short${index}` })).records
    t.match(record.phone, /^.{0,3}\*{6}.{0,4}$/)
    if (phone.length > 1) t.ok(record.phone.replaceAll('*', '').length < phone.length, `${phone} does not show in full`)
  }
})

test('e-mail addresses are masked but for the ends of the local part', async (t) => {
  const server = await startServer(t)
  const rows: [email: string, masked: string][] = [
    ['admin@example.com', 'a******n@example.com'],
    ['a@example.com', 'a******@example.com'],
    ['ab@example.com', 'a******@example.com'],
    ['abc@example.com', 'a******c@example.com'],
    ['A.very+long_name@Sub.Example.com', 'A******e@Sub.Example.com'],
    ['王小明@例子.中国', '王******明@例子.中国'],
    ['王明@example.com', '王******@example.com'],
    ['😀x😎@example.com', '😀******😎@example.com'],
    ['😀😎@example.com', '😀******@example.com'],
  ]
  await insertUsers(
    server,
    rows.map(([email], index) => ({ username: `mail${index}`, email })),
  )
  const { accessToken: token } = await server.signIn()
  for (const [index, [email, masked]] of rows.entries()) {
    const answer = await askPage(server, token, { username: `mail${index}` })
    t.equal(expectSuccess(t, answer).records[0].email, masked)
    t.notOk(answer.text.includes(`"${email}"`), 'the address does not show in full')
  }
})

test('whatever a text holds, the answer is JSON and says the same', async (t) => {
  const server = await startServer(t)
  const texts = ['"', '\\', '\\"', 'line\nbreak', '\t\r\b\f', '\u0001\u001f', '😀', '</script>', '中"文', "'"]
  await insertUsers(
    server,
    texts.map((text, index) => ({
      username: `text-${index}-`,
      columns: { remark: text, avatar: text, real_name: text },
    })),
  )
  const { accessToken: token } = await server.signIn()
  for (const [index, text] of texts.entries()) {
    const [record] = expectSuccess(t, await askPage(server, token, { username: `text-${index}-` })).records
    t.match(record, { remark: text, avatar: text, realName: text }, `text ${index}`)
  }
})
