import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, insertUsers, namesOf } from '../../helpers/service/users.js'

const huge = '99999999999999999999'

/** A server with so many users in all. */
const startWithUsers = async (t: Test, count: number) => {
  const server = await startServer(t)
  const others = Array.from({ length: count - 1 }, (_, index) => ({ username: `user${index}` }))
  await insertUsers(server, others)
  return { server, token: (await server.signIn()).accessToken }
}

test('page numbers and sizes out of range are mended, and the effective ones echoed', async (t) => {
  const { server, token } = await startWithUsers(t, 123)
  const rows: [query: string, current: number, size: number, rows: number][] = [
    ['', 1, 10, 10],
    ['pageNum=1', 1, 10, 10],
    ['pageNum=2', 2, 10, 10],
    ['pageNum=13', 13, 10, 3],
    ['pageNum=0', 1, 10, 10],
    ['pageNum=-0', 1, 10, 10],
    ['pageNum=-5', 1, 10, 10],
    ['pageNum=', 1, 10, 10],
    ['pageNum=007', 7, 10, 10],
    [`pageNum=-${huge}`, 1, 10, 10],
    ['pageSize=1', 1, 1, 1],
    ['pageSize=20', 1, 20, 20],
    ['pageSize=50', 1, 50, 50],
    ['pageSize=99', 1, 99, 99],
    ['pageSize=100', 1, 100, 100],
    ['pageSize=101', 1, 100, 100],
    ['pageSize=1000', 1, 100, 100],
    ['pageSize=999999999999999', 1, 100, 100],
    [`pageSize=${huge}`, 1, 100, 100],
    ['pageSize=0', 1, 10, 10],
    ['pageSize=-1', 1, 10, 10],
    ['pageSize=-100', 1, 10, 10],
    [`pageSize=-${huge}`, 1, 10, 10],
    ['pageSize=', 1, 10, 10],
    ['pageNum=&pageSize=', 1, 10, 10],
    ['pageNum=-1&pageSize=1000', 1, 100, 100],
    ['pageNum=2&pageSize=1000', 2, 100, 23],
    ['pageNum=3&pageSize=50', 3, 50, 23],
    ['pageNum=0&pageSize=0', 1, 10, 10],
    ['page=2&size=3&limit=1&offset=4', 1, 10, 10],
    ['PAGENUM=2&pagesize=3', 1, 10, 10],
  ]
  for (const [query, current, size, count] of rows) {
    await t.test(query === '' ? 'no parameters' : query, async (t) => {
      const { records, ...echo } = expectSuccess(t, await askPage(server, token, query))
      t.same(echo, { total: 123, size, current, pages: Math.ceil(123 / size) })
      t.equal(records.length, count)
    })
  }
})

test('a page past the end is empty and keeps the true total and pages', async (t) => {
  const { server, token } = await startWithUsers(t, 11)
  for (const current of [3, 12, 1000, 2_147_483_648, 999_999_999_999_999]) {
    const data = expectSuccess(t, await askPage(server, token, { pageNum: current }))
    t.same(data, { records: [], total: 11, size: 10, current, pages: 2 })
  }
  const deep = expectSuccess(t, await askPage(server, token, { pageNum: 999_999_999_999_999, pageSize: 100 }))
  t.same(deep, { records: [], total: 11, size: 100, current: 999_999_999_999_999, pages: 1 })
})

test('an empty result has no records, no total and no pages, and echoes the effective page', async (t) => {
  const { server, token } = await startWithUsers(t, 2)
  const rows: [query: string, current: number, size: number][] = [
    ['', 1, 10],
    ['&pageNum=0&pageSize=0', 1, 10],
    ['&pageNum=7&pageSize=33', 7, 33],
    ['&pageNum=-7&pageSize=3300', 1, 100],
  ]
  for (const [query, current, size] of rows) {
    const data = expectSuccess(t, await askPage(server, token, `username=nobody-at-all${query}`))
    t.same(data, { records: [], total: 0, size, current, pages: 0 })
  }
})

test('a full last page is not followed by an empty one', async (t) => {
  const { server, token } = await startWithUsers(t, 20)
  const data = expectSuccess(t, await askPage(server, token, { pageNum: 2 }))
  t.equal(data.records.length, 10)
  t.match(data, { total: 20, pages: 2 })
})

test('what is not an integer is refused by name', async (t) => {
  const { server, token } = await startWithUsers(t, 1)
  const values = [
    'abc',
    '1.5',
    '1.0',
    '1e20',
    '1e1',
    '0x10',
    '0b1',
    '1_000',
    '1,000',
    'NaN',
    'Infinity',
    '-Infinity',
    'true',
    'null',
    'undefined',
    '[1]',
    '{}',
    '--1',
    '1;drop table users',
    '%EF%BC%91',
    '%D9%A1',
    '1%00',
  ]
  for (const value of values) {
    for (const field of ['pageNum', 'pageSize']) {
      await t.test(`${field}=${value}`, async (t) => {
        const answer = await askPage(server, token, `${field}=${value}`)
        expectProblem(t, answer, 'invalid_request', [field])
        t.notMatch(answer.text, 'records')
      })
    }
  }
  const twice = await askPage(server, token, 'pageNum=1&pageNum=2&pageSize=1&pageSize=1')
  expectProblem(t, twice, 'invalid_request', ['pageNum', 'pageSize'])
  expectProblem(t, await askPage(server, token, 'pageNum=a&pageSize=b'), 'invalid_request', ['pageNum', 'pageSize'])
})

test('a page number too large to be echoed never breaks the service', async (t) => {
  const { server, token } = await startWithUsers(t, 1)
  for (const pageNum of ['9007199254740991', '9007199254740993', huge, '9'.repeat(400)]) {
    const answer = await askPage(server, token, { pageNum })
    if (answer.status !== 200) expectProblem(t, answer, 'invalid_request', ['pageNum'])
    else t.match(answer.body.data, { records: [], total: 1, pages: 1 })
  }
})

test('clients send no limit clause and parameters of SQL are only text', async (t) => {
  const { server, token } = await startWithUsers(t, 30)
  const data = expectSuccess(t, await askPage(server, token, "limit=1000&offset=0&pageSize=5&sql=' or 1=1 limit 99"))
  t.equal(data.records.length, 5)
  t.equal(new Set(namesOf(data)).size, 5)
})
