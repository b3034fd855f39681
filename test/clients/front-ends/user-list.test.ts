import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const start = async (t: Parameters<typeof startServer>[0]) => {
  const server = await startServer(t)
  await server.addUser('alice', { realName: '爱丽丝', phone: '13800138000', email: 'alice@example.com' })
  await server.addUser('bob', { realName: 'Bob', email: 'ab@example.com' })
  await server.addUser('carol', { email: 'c@example.com' })
  const { accessToken: token } = await server.signIn()
  return { server, list: list(server, token) }
}
const list = (server: TestServer, token: string) => (query: string | Record<string, string | number>) =>
  server.call('GET', '/system/user/page', { token, query })

test('the pages that the list offers have the size asked for', async (t) => {
  const { list } = await start(t)
  for (const pageSize of [10, 20, 50, 100]) {
    const data = expectSuccess(t, await list({ pageNum: 1, pageSize }))
    t.strictSame([data.size, data.current, data.total, data.records.length], [pageSize, 1, 4, 4])
  }
})

test('cleared inputs are no filters', async (t) => {
  const { list } = await start(t)
  const query = 'pageNum=1&pageSize=10&username=&realName=&phone=&userStatus=&regionCode=&tenantId=&orgId='
  t.equal(expectSuccess(t, await list(query)).total, 4)
})

test('filters that the server does not have do not break the list', async (t) => {
  const { list } = await start(t)
  const query = {
    pageNum: 1,
    pageSize: 10,
    username: 'ali',
    regionCode: '110000',
    'params[beginTime]': 'x',
  }
  const data = expectSuccess(t, await list(query))
  t.strictSame([data.total, data.records[0].username], [1, 'alice'])
})

test('a search finds by name, real name, phone, status and tenant', async (t) => {
  const { list } = await start(t)
  const rows: [query: Record<string, string>, total: number][] = [
    [{ username: 'ALI' }, 1],
    [{ realName: '丽' }, 1],
    [{ phone: '13800138000' }, 1],
    [{ phone: '13900139000' }, 0],
    [{ userStatus: '1' }, 4],
    [{ userStatus: '0' }, 0],
    [{ tenantId: '1' }, 4],
    [{ username: 'bob', realName: '', phone: '', userStatus: '1', regionCode: '', tenantId: '1', orgId: '' }, 1],
  ]
  for (const [query, total] of rows) {
    await t.test(JSON.stringify(query), async (t) => {
      const data = expectSuccess(t, await list({ pageNum: 1, pageSize: 10, ...query }))
      t.strictSame([data.total, data.records.length], [total, total])
    })
  }
})

test('rows have a numeric id, and numbers for status, type and gender', async (t) => {
  const { list } = await start(t)
  for (const record of expectSuccess(t, await list('')).records) {
    for (const name of ['id', 'userStatus', 'userType', 'gender']) t.ok(Number.isInteger(record[name]), name)
  }
})

test('phone and e-mail are masked with six asterisks', async (t) => {
  const { list } = await start(t)
  const answer = await list('')
  const masked = Object.fromEntries(
    expectSuccess(t, answer).records.map((record: Record<string, unknown>) => [
      record['username'],
      [record['phone'], record['email']],
    ]),
  )
  t.strictSame(masked, {
    admin: [null, null],
    alice: ['138******8000', 'a******e@example.com'],
    bob: [null, 'a******@example.com'],
    carol: [null, 'c******@example.com'],
  })
  t.notMatch(answer.text, /13800138000|alice@|ab@|"c@/)
})
