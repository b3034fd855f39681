import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { insertUsers, signInAs } from '../../helpers/service/users.js'

const phone = '13800138001'
const email = 'plain@example.com'
const permissions = ['system:user:view', 'system:user:add', 'system:user:edit']
/** Seconds. */
const hour = 3600

/** A user with contacts, and callers who may change users: one who does not see contacts, one who does. */
const start = async (t: Test) => {
  const server = await startServer(t)
  const [id = 0] = await insertUsers(server, [{ username: 'grace', phone, email }])
  const blind = await signInAs(server, 'blind', { userType: 1, permissions })
  const seeing = await signInAs(server, 'seeing', { userType: 1, permissions: [...permissions, 'system:user:contact'] })
  const { accessToken: admin } = await server.signIn()
  return { server, id, blind, seeing, admin }
}
const withoutTime = (text: string) => text.replace(/"timestamp":\d+/, '')

const told = async (t: Test, server: TestServer, token: string) => {
  const query = 'action=user.taken&pageSize=100'
  return expectSuccess(t, await server.call('GET', '/system/audit/page', { token, query })).records
}

test('a change of a user gives the same answer for a right and a wrong guess of a masked contact', async (t) => {
  const { server, id, blind, seeing } = await start(t)
  const stored = () => server.app.db.users.find(id)
  const before = await stored()
  const guesses = [
    { phone },
    { phone: `+86${phone}` },
    { phone: '13800138009' },
    { phone: 'no number' },
    { phone: null },
    { email },
    { email: email.toUpperCase() },
    { email: 'other@example.com' },
  ]
  const form = { phone: '138******8001', email: 'p******n@example.com' }
  for (const change of guesses) {
    const answer = await server.call('PATCH', `/system/user/${id}`, { token: blind, json: change })
    expectProblem(t, answer, 'permission_denied')
    t.notMatch(answer.text, /13800138001|plain@/)
  }
  t.same(await stored(), before)
  const json = { ...form, remark: 'changed' }
  expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { token: blind, json }))
  t.match(await stored(), { phone, email, remark: 'changed' }, 'the mask that was shown means unchanged')
  const seen = { ...form, phone, email, remark: 'again' }
  expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { token: seeing, json: seen }))
  t.match(await stored(), { phone, email, remark: 'again' })
})

test('a dry run compares no contacts for a caller who does not see them, and says so', async (t) => {
  const { server, blind, seeing } = await start(t)
  const numbers = Array.from({ length: 30 }, (_, index) => String(13800137990 + index))
  const file = ['username,phone', ...numbers.map((number) => `user${number},${number}`)].join('\n')
  const ask = (token: string, content = file) => importFile(server, token, content, { query: 'dryRun=true' })
  const hidden = await ask(blind)
  t.match(expectSuccess(t, hidden), {
    success: true,
    contactsCompared: false,
    refused: 0,
    summary: /contacts were not compared/,
    errors: [],
  })
  const without = await ask(blind, file.replace(phone, '13800138099'))
  t.equal(withoutTime(without.text), withoutTime(hidden.text))
  t.match(expectSuccess(t, await ask(blind, 'username\ngrace\n')), { refused: 1, errors: [{ field: 'username' }] })
  const seen = expectSuccess(t, await ask(seeing))
  t.match(seen, { contactsCompared: true, refused: 1, errors: [{ rowNum: 13, field: 'phone' }] })
  t.notMatch(seen.summary, 'compared')
})

test('a file with a taken contact is refused as a whole for a caller who does not see contacts', async (t) => {
  const { server, blind, seeing, admin } = await start(t)
  const people = Array.from({ length: 60 }, (_, index) => `user${index},13900139${String(index).padStart(3, '0')},`)
  const fileWith = (at: number, row: string) => ['username,phone,email', ...people.with(at, row)].join('\n')
  const files = [fileWith(1, `x,${phone},`), fileWith(59, `x,${phone},`), fileWith(30, `x,,${email}`)]
  const answers: string[] = []
  for (const file of files) {
    const answer = await importFile(server, blind, file)
    expectProblem(t, answer, 'invalid_request', ['file'])
    answers.push(withoutTime(answer.text))
  }
  t.equal(new Set(answers).size, 1, 'the answer does not depend on the row')
  t.match(expectSuccess(t, await importFile(server, blind, fileWith(1, `grace,${phone},`))), {
    added: 0,
    refused: 1,
    errors: [{ rowNum: 3, field: 'username' }],
  })
  t.notOk(await server.app.db.users.findByUsername(1, 'user0'))
  t.match(
    await told(t, server, admin),
    [1, 2, 3].map(() => ({ actorName: 'blind', targetName: 'users' })),
  )
  const seen = expectSuccess(t, await importFile(server, seeing, files[0] ?? ''))
  t.match(seen, { refused: 1, errors: [{ rowNum: 3, field: 'phone' }] })
  t.match(expectSuccess(t, await importFile(server, blind, fileWith(1, 'x,,'))), { added: 60 })
})

test('who does not see contacts is told 20 times an hour that one is taken', async (t) => {
  const { server, blind, seeing, admin } = await start(t)
  let users = 0
  const add = (token: string, contact: object, username = `new${users++}`) =>
    server.call('POST', '/system/user', {
      token,
      json: { username, realName: username, password: userPassword, ...contact },
    })
  // Beside a name that is taken nothing is told, and nothing is counted.
  for (const contact of [{ phone }, { phone: '13900139001' }]) {
    const answer = await add(blind, contact, 'grace')
    expectProblem(t, answer, 'invalid_request', ['username'])
  }
  expectSuccess(t, await add(blind, { phone: '13900139000' }))
  const asked = [
    ...(await Promise.all(Array.from({ length: 30 }, () => add(blind, { phone })))),
    await add(blind, { email }),
  ]
  t.equal(asked.filter(({ status }) => status === 400).length, 20)
  for (const answer of asked.filter(({ status }) => status === 400))
    t.match(answer.body.data.violations, [{ field: 'phone' }])
  for (const answer of asked.filter(({ status }) => status !== 400)) {
    expectProblem(t, answer, 'too_many_requests')
    t.ok(Number(answer.headers.get('retry-after')) > 3500)
  }
  // The answer does not depend on the contact.
  expectProblem(t, await add(blind, { phone: '13900139001' }), 'too_many_requests')
  expectProblem(t, await importFile(server, blind, `username,phone\nx,${phone}\n`), 'too_many_requests')
  expectSuccess(t, await add(blind, {}))
  const records = await told(t, server, admin)
  t.equal(records.length, 20)
  t.match(records[0], { actorName: 'blind', targetType: 'user', after: { fields: ['phone'] } })
  t.notMatch(JSON.stringify(records), phone)
  for (let tries = 0; tries < 22; tries++) expectProblem(t, await add(seeing, { phone }), 'invalid_request', ['phone'])
  server.clock.advance(hour)
  const { accessToken: later } = await server.signIn('blind', userPassword)
  expectProblem(t, await add(later, { email }), 'invalid_request', ['email'])
})
