import { test, type Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import type { Limits } from '../../../db/user-list/index.js'
import { createUserList } from '../../../plugins/people/list/user-list.js'
import { connect } from '../../helpers/databases/database.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import {
  answerPlainly,
  randomQuery,
  randomUser,
  readRows,
  type Query,
  type Row,
} from '../../helpers/values/plain-list.js'
import { anybody } from '../../helpers/service/many-users.js'
import { createRandom } from '../../helpers/values/random.js'
import { createRandomWrites } from '../../helpers/databases/random-writes.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { askPage, insertUsers, signInAs } from '../../helpers/service/users.js'

/** Has the list of the server made with other limits, so that few users are treated as a million would be. */
const limitList = async (t: Test, server: TestServer, limits: Limits) => {
  const db = await openDatabase(server.databaseUrl, server.directory)
  const list = db.openUserList(limits)
  Object.assign(
    server.app.userList,
    createUserList(
      list,
      anybody.beginWaiting,
      {
        readPhone: server.app.contacts.readPhone,
        timeZone: server.app.timeZone,
      },
      server.clock,
    ),
  )
  t.teardown(async () => {
    await list.close()
    await db.close()
  })
}

const startWithUsers = async (t: Test, limits: Limits, seed: number) => {
  const server = await startServer(t)
  const random = createRandom(seed)
  const { id: acme } = await server.operator.addTenant('Acme')
  for (const tenantId of [1, acme]) await server.operator.addRole('staff', 'Staff', [], tenantId)
  await insertUsers(
    server,
    Array.from({ length: 120 }, (_, index) => randomUser(random, index)),
  )
  const callers: [token: string, tenant: number | undefined][] = [
    [(await server.signIn()).accessToken, undefined],
    [await signInAs(server, 'reader', { tenantId: acme, userType: 1, permissions: ['system:user:*'] }), acme],
  ]
  await limitList(t, server, limits)
  const connection = await connect(server.directory)
  t.teardown(() => connection.close())
  const writes = createRandomWrites(connection)
  return { server, random, callers, writes }
}

/** What of a record a write may have changed. */
const contentOf = (row: Row) => ({
  id: row['id'],
  tenantName: row['tenant_name'],
  username: row['username'],
  realName: row['real_name'],
  userType: row['user_type'],
  gender: row['gender'],
  avatar: row['avatar'],
  userStatus: row['user_status'],
  forcePasswordChange: row['force_password_change'] === 1,
  remark: row['remark'],
  lastLoginIp: row['last_login_ip'],
  loginCount: row['login_count'],
  roleKeys: String(row['role_keys'] ?? '')
    .split(',')
    .filter((key) => key !== ''),
  updateTime: new Date(Number(row['update_time'])).toISOString(),
})

const expectedPage = (rows: Row[], query: Query, tenant: number | undefined) => {
  const { ids, ...echo } = answerPlainly(rows, query, tenant)
  const byId = new Map(rows.map((row) => [row['id'], row]))
  return { records: ids.map((id) => contentOf(byId.get(id ?? null) ?? {})), ...echo }
}

const shown = ({ records, ...echo }: { records: Record<string, unknown>[] }) => ({
  records: records.map((record) =>
    Object.fromEntries(Object.keys(contentOf({ update_time: 0 })).map((name) => [name, record[name]])),
  ),
  ...echo,
})

const ways: [sentence: string, limits: Limits][] = [
  ['made at once', {}],
  ['made by a worker', { maxRowsHere: 0, maxUsersSearchedHere: 0 }],
  ['made by a worker but for searches', { maxRowsHere: 0 }],
  ['followed all the time', { maxRowsHere: 0, indexInterval: 1 }],
  ['never remembered', { maxRowsHere: 0, listMemory: 1 }],
  ['remembered now and then', { maxRowsHere: 0, listMemory: 8000 }],
]

test('whatever is written by whomever, the next answer knows it', async (t) => {
  for (const [index, [sentence, limits]] of ways.entries()) {
    await t.test(`lists ${sentence}`, async (t) => {
      const { server, random, callers, writes } = await startWithUsers(t, limits, 20260700 + index)
      // Asked again and again, so that most answers come from what is remembered.
      const rows = await readRows(server)
      const lasting = Array.from({ length: 12 }, () => randomQuery(random, rows))
      const sorted = ['lastLoginTime', 'loginCount', 'tenantName', 'realName', 'updateTime,id', 'createTime']
      lasting.push(...sorted.map((orderByColumn) => ({ orderByColumn, isAsc: '', pageSize: '40' })))
      lasting.push(
        { keyword: 'new' },
        { role: 'staff' },
        { role: 'role-of-reader' },
        { search: 'new' },
        { userStatus: '1', pageNum: '3' },
        { createTimeFrom: '2026-01-02', orderByColumn: 'username' },
      )
      for (let round = 0; round < 70; round++) {
        const name = writes.names[round] ?? random.pick(writes.names)
        for (let count = 1 + random.below(3); count > 0; count--) await writes.write(name, random)
        const now = await readRows(server)
        const asked = Array.from({ length: 4 }, () => random.pick(lasting))
        const [token, tenant] = random.pick(callers)
        for (const query of [...asked, randomQuery(random, now), ...asked.slice(0, 1)]) {
          const answer = shown(expectSuccess(t, await askPage(server, token, query)))
          t.same(
            answer,
            expectedPage(now, query, tenant),
            `after ${name}: ${tenant ?? 'all'}: ${JSON.stringify(query)}`,
          )
        }
      }
    })
  }
})

test('an answer given while something is written is that of one moment', async (t) => {
  const { server, random, callers, writes } = await startWithUsers(t, { maxRowsHere: 0 }, 20260800)
  const [[token] = ['']] = callers
  const queries: Query[] = [{ userStatus: '1' }, { userStatus: '1', pageNum: '2' }, { orderByColumn: 'updateTime' }, {}]
  for (let round = 0; round < 30; round++) {
    const before = await readRows(server)
    const asked = queries.map((query) => askPage(server, token, { ...query, pageSize: String(7 + round) }))
    // Some of them are under way by now, some are not.
    await new Promise((resolve) => setImmediate(resolve))
    await writes.write('many users are changed at once', random)
    const after = await readRows(server)
    for (const [index, answer] of (await Promise.all(asked)).entries()) {
      const query = { ...queries[index], pageSize: String(7 + round) }
      const got = JSON.stringify(shown(expectSuccess(t, answer)))
      const possible = [before, after].map((rows) => JSON.stringify(expectedPage(rows, query, undefined)))
      t.ok(possible.includes(got), `${JSON.stringify(query)} is answered as of before or after the write`)
    }
  }
})

test('pages that wait for the same list get it together, each its own', async (t) => {
  const { server, callers } = await startWithUsers(t, { maxRowsHere: 0 }, 20260900)
  const [[token] = ['']] = callers
  const rows = await readRows(server)
  const queries: Query[] = Array.from({ length: 30 }, (_, index) => ({
    orderByColumn: 'username',
    isAsc: index % 2 === 0 ? 'asc' : 'desc',
    pageNum: String(1 + (index >> 1)),
  }))
  const answers = await Promise.all(queries.map((query) => askPage(server, token, query)))
  for (const [index, query] of queries.entries()) {
    t.same(
      shown(expectSuccess(t, answers[index] as never)),
      expectedPage(rows, query, undefined),
      JSON.stringify(query),
    )
  }
})

test('the same page, asked again and again, shows every change', async (t) => {
  const { server, callers } = await startWithUsers(t, {}, 20261000)
  const [[token] = ['']] = callers
  const { run, close } = await connect(server.directory)
  t.teardown(close)
  const rename = 'update tenants set tenant_name = ?, tenant_name_key = ? where id = 1'
  const query = { orderByColumn: 'id' }
  for (let round = 0; round < 20; round++) {
    if (round % 5 === 0) await run(rename, `Tenant ${round}`, `tenant ${round}`)
    await run('update users set remark = ? where id = 1', `remark ${round}`)
    for (let count = 0; count < 2; count++) {
      const page = expectSuccess(t, await askPage(server, token, query))
      const tenantName = `Tenant ${round - (round % 5)}`
      t.match(page.records[0], { id: 1, remark: `remark ${round}`, tenantName })
    }
  }
})
