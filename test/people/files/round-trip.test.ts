import { parse } from 'csv-parse/sync'
import { test, type Test } from 'tap'
import { joinCell, splitCell, fromSafeCell, toSafeCell } from '../../../lib/csv-cells.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { askPage, insertUsers, type UserToInsert } from '../../helpers/service/users.js'

const oddRoles = ['reader', 'a|b', 'back\\slash', 'ends\\', '=role', "'quoted", 'with space', '管理员']
const people: UserToInsert[] = [
  { username: 'plain', realName: 'Alice Liddell', phone: '13800138000', email: 'alice@example.com' },
  { username: '=1+1', realName: "'=odd", phone: '+442071838750', columns: { remark: '@x' } },
  { username: "''-x", realName: 'O\'Brien, "Bob"', columns: { remark: 'two\r\nlines\nthree\rfour', gender: 2 } },
  { username: '王小明', realName: '王小明', columns: { user_status: 0, remark: '\t= tab' } },
  { username: 'boss', userType: 1, forcePasswordChange: true, columns: { user_status: 2 } },
]
const kept = [
  'username',
  'realName',
  'phone',
  'email',
  'userType',
  'userStatus',
  'gender',
  'remark',
  'roleKeys',
  'tenantName',
]

/** A server with a tenant and its roles, but without users in it. */
const startEmpty = async (t: Test) => {
  const server = await startServer(t)
  const { id } = await server.operator.addTenant('=Acme | Co')
  for (const key of oddRoles) await server.operator.addRole(key, key, [], id)
  const { accessToken: token } = await server.signIn()
  const usersIn = async () => {
    const { records } = (await askPage(server, token, `tenantId=${id}&pageSize=100&orderByColumn=username`)).body.data
    return (records as Record<string, unknown>[]).map((user) => kept.map((name) => user[name]))
  }
  return { server, id, token, usersIn }
}

test('an export can be imported elsewhere, whatever its texts and role keys contain', async (t) => {
  const one = await startEmpty(t)
  const ids = await insertUsers(
    one.server,
    people.map((person) => ({ ...person, tenantId: one.id })),
  )
  for (const [index, key] of oddRoles.entries())
    for (const person of people.slice(0, 1 + (index % 3)))
      await one.server.operator.assign(key, person.username, one.id)
  t.equal(ids.length, people.length)
  const answer = await fetch(`${one.server.origin}/system/user/export?tenantId=${one.id}`, {
    headers: { authorization: `Bearer ${one.token}` },
  })
  const other = await startEmpty(t)
  const report = await importFile(other.server, other.token, Buffer.from(await answer.arrayBuffer()))
  t.match(expectSuccess(t, report), { rows: people.length, added: people.length, refused: 0, errors: [] })
  const before = await one.usersIn()
  t.equal(before.length, people.length)
  t.same(await other.usersIn(), before)
})

const formulas = ["=cmd|'/C calc'!A0", '+1', '-1', '@SUM(A1)', '＝1', '＋1', '﹦1', '"=1', ' =1', "'=1", '\u00a0=1']
const separators = [',', ';', '\t', '|', '\n', '\r', '\r\n']
/** What a spreadsheet program calculates, with or without the quotes and spaces before it. */
const isFormula = (cell: string) => /^[\s"]*[=+\-@＝＋－＠﹦]/.test(cell)

test('no cell of an export is a formula, whatever separator a program takes, and an import reads what was there', async (t) => {
  const one = await startEmpty(t)
  const texts = [...formulas, ...formulas.flatMap((text) => separators.map((separator) => `x${separator}${text};y`))]
  const remarks = texts.map((remark, index) => ({ username: `user${index}`, columns: { remark } }))
  const odd = { username: 'x;=1', realName: 'x|＝1', columns: { remark: null } }
  await insertUsers(
    one.server,
    [...remarks, odd].map((person) => ({ ...person, tenantId: one.id })),
  )
  const answer = await fetch(`${one.server.origin}/system/user/export?tenantId=${one.id}`, {
    headers: { authorization: `Bearer ${one.token}` },
  })
  const content = Buffer.from(await answer.arrayBuffer())
  for (const delimiter of [[','], [';'], ['\t'], ['|'], [',', ';', '\t', '|']]) {
    // As programs do: a quote inside a cell is a character of it.
    const options = { bom: true, delimiter, relax_quotes: true, relax_column_count: true }
    const cells = parse(content, options).flat()
    t.ok(cells.length > texts.length)
    t.same(cells.filter(isFormula), [], `read with ${JSON.stringify(delimiter)}`)
  }
  const other = await startEmpty(t)
  const report = await importFile(other.server, other.token, content)
  t.match(expectSuccess(t, report), { added: texts.length + 1, refused: 0 })
  const page = await askPage(other.server, other.token, `tenantId=${other.id}&pageSize=100&orderByColumn=id`)
  const { records } = expectSuccess(t, page)
  t.same(
    records.map(({ username, remark }: Record<string, unknown>) => [username, remark]).sort(),
    [...remarks, odd].map(({ username, columns: { remark } }) => [username, remark]).sort(),
  )
  t.equal(records.find(({ username }: { username: string }) => username === 'x;=1')?.realName, 'x|＝1')
})

test('what protects a cell is undone exactly, and nothing else is', (t) => {
  const texts = [
    '',
    'x',
    "'",
    "''",
    "'x",
    '=',
    "'=",
    "''=",
    '+1',
    '-1',
    '@a',
    '\tx',
    '\rx',
    '\nx',
    "'\t",
    ' =x',
    'a=b',
    'a;=b',
    "a;'=b",
    "a|''＝b",
    'a\n\n-b',
    'a, =b',
    '\t\t=x',
    "it's - fine",
  ]
  for (const text of texts) {
    t.equal(fromSafeCell(toSafeCell(text)), text, JSON.stringify(text))
    t.notMatch(toSafeCell(text), /^[=+\-@\t\r\n]/)
  }
  t.equal(fromSafeCell("'x"), "'x")
  t.equal(toSafeCell("it's - fine, a=b; 1+1"), "it's - fine, a=b; 1+1")
  const long = '\n'.repeat(100_000)
  t.equal(fromSafeCell(toSafeCell(long)), long, 'in linear time')
  const lists = [[], ['a'], ['a', 'b'], ['|'], ['\\'], ['\\|', '|\\'], ['a\\', '|b'], ['\\\\']]
  for (const list of lists) t.same(splitCell(joinCell(list)), list.length === 0 ? [''] : list)
  t.same(splitCell('a| b |c\\d||'), ['a', 'b', 'c\\d', '', ''])
  t.end()
})
