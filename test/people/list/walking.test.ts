import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, insertUsers } from '../../helpers/service/users.js'

const orders = [
  '',
  'orderByColumn=createTime&isAsc=asc',
  'orderByColumn=createTime&isAsc=desc',
  'orderByColumn=userType&isAsc=asc',
  'orderByColumn=gender&isAsc=desc',
  'orderByColumn=phone&isAsc=asc',
  'orderByColumn=lastLoginTime&isAsc=desc',
  'orderByColumn=realName&isAsc=asc',
  'orderByColumn=tenantName,userStatus&isAsc=desc,asc',
  'orderByColumn=userStatus,id&isAsc=asc,desc',
]

test('walking through all pages meets every user exactly once, whatever the order', async (t) => {
  const server = await startServer(t)
  const ids = await insertUsers(
    server,
    Array.from({ length: 87 }, (_, index) => ({
      username: `user${index}`,
      // Many ties in every column, and absent values among them.
      realName: `Name ${index % 3}`,
      userType: 1 + (index % 2),
      createTime: 1_770_000_000_000 + (index % 4) * 1000,
      columns: { gender: index % 3, user_status: index % 2, last_login_time: index % 5 === 0 ? null : index % 7 },
    })),
  )
  const { accessToken: token } = await server.signIn()
  const everybody = [1, ...ids]
  for (const order of orders) {
    await t.test(order === '' ? 'the default order' : order, async (t) => {
      const whole = expectSuccess(t, await askPage(server, token, `${order}&pageSize=100`))
      const wholeIds: number[] = whole.records.map(({ id }: { id: number }) => id)
      t.same(
        [...wholeIds].sort((one, other) => one - other),
        everybody,
      )
      for (const pageSize of [1, 7, 44]) {
        const met: number[] = []
        const pages = Math.ceil(88 / pageSize)
        for (let pageNum = 1; pageNum <= pages; pageNum += pageSize === 1 ? 11 : 1) {
          const query = `${order}&pageNum=${pageNum}&pageSize=${pageSize}`
          const data = expectSuccess(t, await askPage(server, token, query))
          t.match(data, { total: 88, pages, current: pageNum, size: pageSize })
          met.push(...data.records.map(({ id }: { id: number }) => id))
        }
        const expected = pageSize === 1 ? wholeIds.filter((_id, index) => index % 11 === 0) : wholeIds
        t.same(met, expected, `in pages of ${pageSize}`)
      }
    })
  }
})

test('users with equal values come in the order of their ids', async (t) => {
  const server = await startServer(t)
  const same = Array.from({ length: 15 }, (_, index) => ({ username: `same${15 - index}`, realName: 'Same' }))
  const ids = await insertUsers(server, same)
  const { accessToken: token } = await server.signIn()
  for (const column of ['realName', 'createTime', 'gender', 'phone', 'lastLoginTime', 'remark', 'tenantName']) {
    const query = `realName=Same&pageSize=100&orderByColumn=${column}&isAsc=asc`
    const { records } = expectSuccess(t, await askPage(server, token, query))
    t.same(
      records.map(({ id }: { id: number }) => id),
      ids,
      column,
    )
  }
})

test('a user added meanwhile shows at once, and the total with it', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  t.equal(expectSuccess(t, await askPage(server, token)).total, 1)
  server.clock.advance(1)
  await insertUsers(server, [{ username: 'newcomer' }])
  const data = expectSuccess(t, await askPage(server, token))
  t.equal(data.total, 2)
  t.equal(data.records[0].username, 'newcomer')
})
