import { test, type Test } from 'tap'
import { joinCell, splitCell, fromSafeCell, toSafeCell } from '../../lib/csv-cells.js'
import { expectSuccess } from '../helpers/expect.js'
import { startServer } from '../helpers/server.js'
import { importFile } from '../helpers/upload.js'
import { askPage, insertUsers, type UserToInsert } from '../helpers/users.js'

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

test('what protects a cell is undone exactly, and nothing else is', (t) => {
  const texts = ['', 'x', "'", "''", "'x", '=', "'=", "''=", '+1', '-1', '@a', '\tx', '\rx', '\nx', "'\t", ' =x', 'a=b']
  for (const text of texts) {
    t.equal(fromSafeCell(toSafeCell(text)), text, JSON.stringify(text))
    t.notMatch(toSafeCell(text), /^[=+\-@\t\r\n]/)
  }
  t.equal(fromSafeCell("'x"), "'x")
  const lists = [[], ['a'], ['a', 'b'], ['|'], ['\\'], ['\\|', '|\\'], ['a\\', '|b'], ['\\\\']]
  for (const list of lists) t.same(splitCell(joinCell(list)), list.length === 0 ? [''] : list)
  t.same(splitCell('a| b |c\\d||'), ['a', 'b', 'c\\d', '', ''])
  t.end()
})
