import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, insertUsers, namesOf, type UserToInsert } from '../../helpers/service/users.js'

/** In the order of their ids; the first letter stands for the user below. */
const users: UserToInsert[] = [
  {
    username: 's-c',
    realName: 'delta',
    phone: '13800138003',
    email: 'C@x.example',
    createTime: 50,
    columns: {
      avatar: '/2',
      remark: 'z',
      last_login_time: 5,
      last_login_ip: '10.0.0.1',
      login_count: 5,
      banned_until: 9_000_000_000_000,
      invited_time: 7,
    },
  },
  {
    username: 's-A',
    realName: 'Alpha',
    tenantId: 2,
    userType: 1,
    forcePasswordChange: true,
    createTime: 20,
    columns: { gender: 1, user_status: 0 },
  },
  {
    username: 's-b',
    realName: 'charlie',
    userType: 0,
    phone: '13800138001',
    email: 'b@x.example',
    createTime: 40,
    columns: {
      gender: 2,
      user_status: 2,
      avatar: '/1',
      remark: 'm',
      last_login_time: 3,
      last_login_ip: '192.168.0.1',
      login_count: 10,
      has_second_factor: 1,
      banned_until: 8_000_000_000_000,
      invited_time: 6,
    },
  },
  {
    username: 's-д',
    realName: 'Bravo',
    tenantId: 2,
    phone: '+447911123456',
    email: 'a@x.example',
    forcePasswordChange: true,
    createTime: 10,
    columns: { remark: 'a', last_login_ip: '::1', login_count: 9 },
  },
  {
    username: 's-中',
    realName: 'echo',
    userType: 1,
    phone: '13800138002',
    email: 'd@x.example',
    createTime: 30,
    columns: {
      gender: 1,
      user_status: 0,
      avatar: '/3',
      remark: 'b',
      last_login_time: 9,
      last_login_ip: '10.0.0.2',
      login_count: 2,
    },
  },
]

/** Every public column, its other spelling, and the users in its ascending order; absent values come first. */
const orders: Record<string, [snakeCase: string, order: string]> = {
  id: ['id', 'cAbд中'],
  tenantId: ['tenant_id', 'cb中Aд'],
  tenantName: ['tenant_name', 'Aдcb中'],
  username: ['username', 'Abcд中'],
  realName: ['real_name', 'Aдbc中'],
  userType: ['user_type', 'bA中cд'],
  gender: ['gender', 'cдA中b'],
  phone: ['phone', 'Aдb中c'],
  email: ['email', 'Aдbc中'],
  avatar: ['avatar', 'Aдbc中'],
  userStatus: ['user_status', 'A中cдb'],
  forcePasswordChange: ['force_password_change', 'cb中Aд'],
  remark: ['remark', 'Aд中bc'],
  hasSecondFactor: ['has_second_factor', 'cAд中b'],
  lastLoginTime: ['last_login_time', 'Aдbc中'],
  lastLoginIp: ['last_login_ip', 'Ac中bд'],
  loginCount: ['login_count', 'A中cдb'],
  bannedUntil: ['banned_until', 'Aд中bc'],
  invitedTime: ['invited_time', 'Aд中bc'],
  createTime: ['create_time', 'дA中bc'],
  updateTime: ['update_time', 'cAbд中'],
}

const startWithUsers = async (t: Test) => {
  const server = await startServer(t)
  await server.operator.addTenant('Acme')
  const updated = users.map((user, index) => ({ ...user, columns: { ...user.columns, update_time: index } }))
  await insertUsers(server, updated)
  const { accessToken: token } = await server.signIn()
  /** The order of the users above, one letter each. */
  const orderOf = async (t: Test, query: string) => {
    const data = expectSuccess(t, await askPage(server, token, `username=s-&${query}`))
    t.equal(data.total, 5)
    return namesOf(data)
      .map((name) => name.slice(2))
      .join('')
  }
  return { server, token, orderOf }
}
const reversed = (order: string) => [...order].reverse().join('')

test('every public column sorts, in both spellings and both directions', async (t) => {
  const { orderOf } = await startWithUsers(t)
  for (const [camelCase, [snakeCase, order]] of Object.entries(orders)) {
    await t.test(camelCase, async (t) => {
      for (const column of new Set([camelCase, snakeCase])) {
        t.equal(await orderOf(t, `orderByColumn=${column}&isAsc=asc`), order, `${column} ascending`)
        t.equal(await orderOf(t, `orderByColumn=${column}&isAsc=desc`), reversed(order), `${column} descending`)
        t.equal(await orderOf(t, `orderByColumn=${column}`), order, `${column} without a direction`)
        t.equal(await orderOf(t, `orderByColumn=${column}&isAsc=`), order, `${column} with a blank direction`)
      }
    })
  }
})

test('every documented column of a record that is a single value can be sorted by', async (t) => {
  const { server, token } = await startWithUsers(t)
  const { records } = expectSuccess(t, await askPage(server, token))
  t.same(Object.keys(records[0]).sort(), [...Object.keys(orders), 'roleKeys'].sort())
})

test('without a column the newest come first', async (t) => {
  const { orderOf } = await startWithUsers(t)
  for (const query of ['', 'orderByColumn=', 'orderByColumn=&isAsc=', 'isAsc=']) {
    t.equal(await orderOf(t, query), 'cb中Aд', query)
  }
})

test('several columns sort one after the other, each in its own direction', async (t) => {
  const { orderOf } = await startWithUsers(t)
  const rows: [query: string, order: string][] = [
    ['orderByColumn=tenantId,createTime&isAsc=asc,asc', '中bcдA'],
    ['orderByColumn=tenantId,createTime&isAsc=asc,desc', 'cb中Aд'],
    ['orderByColumn=tenantId,create_time&isAsc=desc,asc', 'дA中bc'],
    ['orderByColumn=tenant_id,createTime&isAsc=desc,desc', 'Aдcb中'],
    ['orderByColumn=tenantId,createTime', '中bcдA'],
    ['orderByColumn=tenantId,createTime&isAsc=', '中bcдA'],
    ['orderByColumn=userType, gender, id&isAsc=asc, desc, desc', 'b中Aдc'],
    ['orderByColumn=userStatus,userType,loginCount&isAsc=desc,asc,asc', 'bcдA中'],
  ]
  for (const [query, order] of rows) t.equal(await orderOf(t, query), order, query)
})

test('unknown columns are refused and never reach the database', async (t) => {
  const { server, token } = await startWithUsers(t)
  const columns = [
    'password',
    'passwordHash',
    'password_hash',
    'username_key',
    'usernameKey',
    'phone_key',
    'tenants.tenant_name',
    'users.id',
    'users.password_hash',
    'rowid',
    '1',
    'CREATETIME',
    'Id',
    'create-time',
    'createTime desc',
    'id;drop table users',
    'id--',
    'id/**/desc',
    '(select password_hash from users limit 1)',
    "case when (select substr(password_hash,1,1) from users)='$' then id else username end",
    'id) union select 1--',
    '"id"',
    '`id`',
    "'id'",
    'id\0',
    '__proto__',
    'constructor',
    'toString',
    'id,password',
    'id,',
    ',id',
    ',',
    'id,,username',
    'id，username',
    'ｉｄ',
    'x'.repeat(500),
    'id,'.repeat(2000),
  ]
  for (const column of columns) {
    await t.test(column.slice(0, 40).replaceAll('\0', '(NUL)'), async (t) => {
      const answer = await askPage(server, token, { orderByColumn: column })
      expectProblem(t, answer, 'invalid_request', ['orderByColumn'])
      t.notMatch(answer.text, /hash|_key|union|drop|\bpassword\b/i, 'neither echoed nor hinted at')
    })
  }
  const twice = await askPage(server, token, 'orderByColumn=id&orderByColumn=username')
  expectProblem(t, twice, 'invalid_request', ['orderByColumn'])
  t.equal(expectSuccess(t, await askPage(server, token)).total, 6, 'nothing was dropped')
})

test('unknown directions and other counts than columns are refused', async (t) => {
  const { server, token } = await startWithUsers(t)
  const rows: [column: string, direction: string][] = [
    ['id', 'up'],
    ['id', 'ascending'],
    ['id', 'true'],
    ['id', '1'],
    ['id', 'DESC;--'],
    ['id', 'desc;--'],
    ['id', 'desc nulls last'],
    ['id', 'asc, (select 1)'],
    ['id', 'asc\0'],
    ['id', 'asc,desc'],
    ['id', 'asc,'],
    ['id', ',asc'],
    ['id,username', 'asc'],
    ['id,username', 'asc,up'],
    ['id,username', 'asc,'],
    ['id,username', 'asc,desc,asc'],
    ['', 'sideways'],
  ]
  for (const [orderByColumn, isAsc] of rows) {
    await t.test(`${orderByColumn} ${isAsc}`.replaceAll('\0', '(NUL)'), async (t) => {
      const answer = await askPage(server, token, { orderByColumn, isAsc })
      expectProblem(t, answer, 'invalid_request', ['isAsc'])
      t.notMatch(answer.text, /select|--|nulls|sideways/)
    })
  }
  expectProblem(t, await askPage(server, token, 'orderByColumn=id&isAsc=asc&isAsc=desc'), 'invalid_request', ['isAsc'])
})
