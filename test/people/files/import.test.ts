import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { test, type Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { eventually } from '../../helpers/processes/process.js'
import { lastFormat, tableIn } from '../../helpers/service/file-formats.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { formOf, importFile } from '../../helpers/service/upload.js'
import { askPage, signInAs } from '../../helpers/service/users.js'

const add = ['system:user:add']
const namesOf = async (t: Test, server: TestServer) => {
  const { accessToken } = await server.signIn()
  const { records } = expectSuccess(t, await askPage(server, accessToken, 'pageSize=100&orderByColumn=id'))
  return (records as { username: string }[]).map(({ username }) => username)
}

test('a CSV file adds its users, as a form or as the body, and they sign in', async (t) => {
  const server = await startServer(t)
  // A folder of its own: in the common one a server that another test kills can leave a name behind.
  const folder = t.testdir()
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = folder
  t.teardown(() => (TMPDIR === undefined ? delete process.env['TMPDIR'] : (process.env['TMPDIR'] = TMPDIR)))
  const { accessToken: token } = await server.signIn()
  const content = `\ufeffusername,realName,password,forcePasswordChange\r\nalice,Alice,${userPassword},false\r\nbob,,,\r\n`
  const time = new Date(server.clock.now()).toISOString()
  const report = expectSuccess(t, await importFile(server, token, content))
  t.same(report, {
    success: true,
    dryRun: false,
    contactsCompared: true,
    withoutWayIn: 1,
    namesWithoutWayIn: ['bob'],
    invited: 0,
    notInvited: 0,
    createTimeFrom: time,
    createTimeTo: time,
    rows: 2,
    added: 2,
    refused: 0,
    summary: 'Added 2 users',
    errors: [],
  })
  const body = { token, raw: 'username\ncarol\n', headers: { 'content-type': 'text/csv; charset=utf-8' } }
  t.match(expectSuccess(t, await server.call('POST', '/system/user/import', body)), { added: 1 })
  t.equal((await server.signIn('alice', userPassword)).forcePasswordChange, false)
  t.same(await namesOf(t, server), ['admin', 'alice', 'bob', 'carol'])
  t.notMatch(server.log(), userPassword)
  const { records } = (await server.call('GET', '/system/audit/page', { token, query: 'action=user.import' })).body.data
  t.match(records, [{ actorName: 'admin', after: { users: 1 } }, { after: { users: 2 } }])
  t.same(readdirSync(folder), [])
})

test('the answer says how many users cannot sign in, which refuses none of them', async (t) => {
  const { server } = await startWithMessages(t)
  const { accessToken: token } = await server.signIn()
  const rows = (prefix: string) =>
    [
      'username,email,phone,password,passwordHash,tenant',
      `${prefix}1,,,,,`,
      `${prefix}2,${prefix}2@example.com,,,,`,
      `${prefix}3,,1390013900${prefix === 'a' ? 1 : 2},,,`,
      `${prefix}4,,,${userPassword},,`,
      `${prefix}5,,,,$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy,`,
      `${prefix}6,${prefix}6@example.com,,,,Acme`,
      `${prefix}7,,,${userPassword},,Acme`,
    ].join('\n')
  const acme = await server.operator.addTenant('Acme')
  await server.app.management.changeMethods(operatorActor(), acme.id, { disable: ['email_captcha'], enable: [] })
  const dry = expectSuccess(t, await importFile(server, token, rows('a'), { query: 'dryRun=true' }))
  // In Acme no code is sent to an address.
  t.match(dry, {
    success: true,
    refused: 0,
    withoutWayIn: 2,
    namesWithoutWayIn: ['a1', 'a6'],
    createTimeFrom: null,
    createTimeTo: null,
  })
  t.match(expectSuccess(t, await importFile(server, token, rows('a'))), { added: 7, withoutWayIn: 2 })
  t.match(expectSuccess(t, await importFile(server, token, `${rows('b')}\nb1,,,,,`)), { added: 0, withoutWayIn: 2 })
})

test('the times of the answer are those of the added users in the list, and of nobody added before or after', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  await server.addUser('before')
  server.clock.advance(1)
  const names = Array.from({ length: 60 }, (_row, at) => `user${at}`)
  const report = expectSuccess(t, await importFile(server, token, ['username', ...names].join('\n')))
  server.clock.advance(1)
  await server.addUser('after')
  const { createTimeFrom, createTimeTo } = report
  const { total } = expectSuccess(t, await askPage(server, token, { createTimeFrom, createTimeTo }))
  t.equal(total, 60)
})

test('one faulty row refuses all of them, and a dry run adds nobody', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const content = 'username,phone,userType\nalice,,\n ,12,9\nadmin,,\nalice,,\n'
  const answer = await importFile(server, token, content)
  const report = expectSuccess(t, answer)
  t.match(report, {
    success: false,
    rows: 4,
    added: 0,
    refused: 3,
    summary: 'Refused 3 of 4 rows; nobody was added',
  })
  t.same(
    report.errors.map(({ rowNum, field }: Record<string, unknown>) => [rowNum, field]),
    [
      [3, 'userType'],
      [3, 'username'],
      [3, 'phone'],
      [4, 'username'],
      [5, 'username'],
    ],
  )
  const chinese = await importFile(server, token, content, { headers: { 'accept-language': 'zh-CN' } })
  t.match(expectSuccess(t, chinese).errors[4], { columnName: '用户名', errorMessage: '与第 2 行相同' })
  const dry = expectSuccess(t, await importFile(server, token, 'username\ndora\n', { query: 'dryRun=true' }))
  t.match(dry, { success: true, dryRun: true, rows: 1, added: 0, refused: 0 })
  expectProblem(t, await importFile(server, token, 'username\ndora\n', { query: 'dryRun=yes' }), 'invalid_request', [
    'dryRun',
  ])
  t.same(await namesOf(t, server), ['admin'])
})

test('each imported user is in the audit trail, as one who is added alone', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  await server.operator.addRole('reader', 'Reader', ['system:user:list'])
  const added = async () => {
    const query = { action: 'user.add', pageSize: '100', isAsc: 'asc', orderByColumn: 'time' }
    return expectSuccess(t, await server.call('GET', '/system/audit/page', { token, query })).records as Record<
      string,
      any
    >[]
  }
  const json = { username: 'alone', email: 'x@example.com', userType: 1, roleKeys: ['reader'], password: userPassword }
  expectSuccess(t, await server.call('POST', '/system/user', { token, json }))
  const rows = [
    ['username', 'email', 'userType', 'roles', 'password'],
    ['alice', 'y@example.com', '1', 'reader', userPassword],
    ['bob', '', '', '', ''],
  ]
  expectSuccess(t, await importFile(server, token, rows.map((row) => row.join(',')).join('\n')))
  const file = await tableIn(server, lastFormat, [['username'], ['carol'], ['dora']])
  expectSuccess(t, await importFile(server, token, file))
  expectSuccess(t, await importFile(server, token, 'username\nerin\n', { query: 'dryRun=true' }))
  expectSuccess(t, await importFile(server, token, 'username\nfaith\nadmin\n'))
  const [alone, alice, ...others] = await added()
  const { id } = (await server.app.db.users.findByUsername(1, 'alice')) ?? {}
  t.same(alice, {
    ...alone,
    id: alice?.['id'],
    targetId: String(id),
    targetName: 'alice',
    after: { ...alone?.['after'], username: 'alice', realName: 'alice', email: 'y@example.com' },
  })
  t.same(
    others.map(({ actorName, targetType, targetName }) => [actorName, targetType, targetName]),
    ['bob', 'carol', 'dora'].map((name) => ['admin', 'user', name]),
  )
  t.match(others[0], { before: null, after: { username: 'bob', roleKeys: [], userType: 2 } })
  t.notMatch(JSON.stringify(await added()), new RegExp(userPassword))
})

test('only the first thousand faults are in the answer, with the number of all refused rows', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows = Array.from({ length: 1500 }, (_, index) => `user${index},${index === 0 ? '' : 'nobody'}`)
  const report = expectSuccess(t, await importFile(server, token, ['username,roles', ...rows].join('\n')))
  t.match(report, { rows: 1500, refused: 1499, added: 0 })
  t.equal(report.errors.length, 1000)
  const chinese = { headers: { 'accept-language': 'zh-CN' } }
  const labelled = expectSuccess(t, await importFile(server, token, 'username,角色\nx,nobody\n', chinese))
  t.match(labelled.errors, [{ columnName: '角色', errorMessage: '租户中没有此角色标识：nobody' }])
  t.match(report.errors[99], { rowNum: 102, field: 'roles', columnName: 'roles' })
})

const unreadable: [sentence: string, content: string | Buffer, text: RegExp][] = [
  ['no column names', 'alice,secret word\n', /column 1 is none of username/],
  ['no user name', 'realName\nAlice\n', /no column username/],
  ['a column twice', 'username,user_name\nalice,bob\n', /username twice/],
  ['a column twice, by its name and by its label', 'realName,username,真实姓名\nalice,bob,x\n', /realName twice/],
  ['a column twice, by both labels', 'username,姓名,真实姓名\nalice,bob,x\n', /realName twice/],
  ['a column that nobody can set, twice', 'id,username,编号\n1,alice,2\n', /id twice/],
  ['bars', 'username|realName\nalice|x\n', /separate its cells by commas, semicolons or tabs/],
  ['Chinese commas and quotes', '"username"，"realName"\n"alice"，"x"\n', /separate its cells by commas/],
  ['an open quote', 'username\n"alice\n', /line 2.*not closed/],
  ['text after a quote', 'username\n"ali"ce\n', /line 2/],
  ['other bytes than UTF-8', Buffer.from([0x75, 0xff, 0xfe, 0x0a]), /not UTF-8/],
  ['nothing', '', /no column username/],
]

test('a file that cannot be read is refused with the reason, and its content does not show', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  for (const [sentence, content, text] of unreadable) {
    await t.test(sentence, async (t) => {
      const answer = await importFile(server, token, content)
      expectProblem(t, answer, 'invalid_request', ['file'])
      t.match(answer.body.message, text)
      t.notMatch(answer.text, /secret word|alice/)
      t.notMatch(
        (await importFile(server, token, content, { headers: { 'accept-language': 'zh-CN' } })).body.message,
        /[a-z]{3} [a-z]{3}/,
      )
    })
  }
  t.notMatch(server.log(), /secret word/)
})

test('what is no upload is refused', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const post = (options: object) => server.call('POST', '/system/user/import', { token, ...options })
  const content = 'username\nalice\n'
  expectProblem(t, await post({ json: { file: content } }), 'unsupported_media_type')
  expectProblem(t, await post({ form: { file: content } }), 'unsupported_media_type')
  expectProblem(t, await post({ raw: content, headers: { 'content-type': 'text/plain' } }), 'unsupported_media_type')
  expectProblem(t, await post({}), 'unsupported_media_type')
  const form = { 'content-type': 'multipart/form-data' }
  expectProblem(t, await post({ raw: content, headers: form }), 'invalid_request', ['file'])
  expectProblem(t, await post(formOf({ name: 'other', content })), 'invalid_request', ['file'])
  expectProblem(t, await post(formOf({ content }, { content })), 'invalid_request', ['file'])
  const { raw, headers } = formOf({ content })
  expectProblem(t, await post({ raw: raw.subarray(0, -30), headers }), 'invalid_request', ['file'])
  expectProblem(t, await server.call('POST', '/system/user/import', formOf({ content })), 'token_missing')
  t.match(
    (await post(formOf({ name: 'other', content }, { content }))).body.data,
    { added: 1 },
    'other fields are skipped',
  )
  expectProblem(t, await server.call('POST', '/auth/logout', formOf({ content })), 'unsupported_media_type')
  t.equal((await server.call('POST', '/auth/logout', { headers: form })).status, 200, 'an empty body is none')
})

test('a file of more than 64 MiB is refused, and the next one is read', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const large = Buffer.alloc(64 * 2 ** 20 + 1, 'username\n')
  expectProblem(t, await importFile(server, token, large), 'payload_too_large')
  const raw = { token, raw: large, headers: { 'content-type': 'text/csv' } }
  expectProblem(t, await server.call('POST', '/system/user/import', raw), 'payload_too_large')
  t.match(expectSuccess(t, await importFile(server, token, 'username\nalice\n')), { added: 1 })
})

test('nobody adds more than it may: other tenants, higher types, stronger roles', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  const { id: acme } = await operator.addTenant('Acme')
  for (const tenant of [1, acme]) {
    await operator.addRole('weak', 'Weak', add, tenant)
    await operator.addRole('strong', 'Strong', ['system:role:edit'], tenant)
  }
  await operator.addRole('only-here', 'Only here', add, 1)
  const tokens = {
    user: await signInAs(server, 'user', { tenantId: acme, permissions: add }),
    tenantAdmin: await signInAs(server, 'boss', { tenantId: acme, userType: 1, permissions: add }),
    systemAdmin: (await server.signIn()).accessToken,
    reader: await signInAs(server, 'reader', { tenantId: acme, permissions: ['system:user:list'] }),
  }
  expectProblem(t, await importFile(server, tokens.reader, 'username\nx\n'), 'permission_denied')
  type Caller = Exclude<keyof typeof tokens, 'reader'>
  const callers: Caller[] = ['user', 'tenantAdmin', 'systemAdmin']
  const rows: [row: string, fields: string[], refused: Caller[]][] = [
    ['x,,,', [], []],
    [`x,${acme},,`, [], []],
    ['x,Acme,weak,2', [], []],
    ['x,1,,', ['tenant'], ['user', 'tenantAdmin']],
    ['x,Default,only-here,', ['tenant'], ['user', 'tenantAdmin']],
    ['x,999,,', ['tenant'], callers],
    [`x,${acme},strong,`, ['roles'], ['user']],
    [`x,${acme},,1`, ['userType'], ['user']],
    [`x,${acme},,0`, ['userType'], ['user', 'tenantAdmin']],
    ['admin,1,strong,0', ['userType', 'tenant'], ['user', 'tenantAdmin']],
  ]
  for (const [row, fields, refused] of rows) {
    for (const caller of callers) {
      if (caller === 'systemAdmin' && row.startsWith('admin')) continue
      const content = `username,tenant,roles,userType\n${row}\n`
      const report = expectSuccess(t, await importFile(server, tokens[caller], content, { query: 'dryRun=true' }))
      const isRefused = refused.includes(caller)
      t.equal(report.success, !isRefused, `${caller}: ${row}`)
      t.same(
        report.errors.map(({ field }: { field: string }) => field),
        isRefused ? fields : [],
        `${caller}: ${row}`,
      )
    }
  }
  expectSuccess(t, await importFile(server, tokens.tenantAdmin, 'username\nown\n'))
  const own = (await askPage(server, tokens.systemAdmin, 'username=own')).body.data.records
  t.match(own, [{ tenantId: acme }], 'a row without a tenant is of the tenant of the caller')
})

test('one import runs at a time, and a client that goes away leaves nobody', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const other = await signInAs(server, 'other', { permissions: add })
  const rows = Array.from({ length: 6000 }, (_, index) => `person${index}`)
  const { raw, headers } = formOf({ content: ['username', ...rows].join('\n') })
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const head = [
    'POST /system/user/import HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${token}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${raw.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(raw)
  const count = async () => (await askPage(server, token)).body.data.total as number
  await eventually('the first of them', async () => ((await count()) > 2 ? true : undefined))
  const refused = await importFile(server, other, 'username\nx\n')
  expectProblem(t, refused, 'unavailable')
  t.equal(refused.headers.get('retry-after'), '30')
  expectProblem(t, await importFile(server, token, 'username\nx\n'), 'too_many_requests')
  socket.destroy()
  await eventually('nobody', async () => ((await count()) === 2 ? true : undefined))
  const { records } = await server.app.audit.page(undefined, { action: 'user.add' })
  t.same(records, [], 'nor rows about adding them')
  await eventually('the next import', async () => {
    const { status } = await importFile(server, other, 'username\nx\n')
    return status === 200 ? true : undefined
  })
})
