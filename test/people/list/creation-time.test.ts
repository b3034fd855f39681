import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, insertUsers, namesOf } from '../../helpers/service/users.js'

/** Each user is named for the moment of creation; `admin` is created by the standing clock, 2026-06-01T08:00Z. */
const moments = {
  before: Date.parse('2026-02-01T23:59:59.999Z'),
  midnight: Date.parse('2026-02-02T00:00:00.000Z'),
  noon: Date.parse('2026-02-02T12:00:00.000Z'),
  evening: Date.parse('2026-02-02T23:59:59.999Z'),
  after: Date.parse('2026-02-03T00:00:00.000Z'),
}
const users = Object.entries(moments).map(([username, createTime]) => ({ username, createTime }))

test('users are found by the time of their creation, both ends included', async (t) => {
  const server = await startServer(t)
  await insertUsers(server, users)
  const { accessToken: token } = await server.signIn()
  const all = ['admin', 'after', 'evening', 'noon', 'midnight', 'before']
  const rows: [query: string, names: string[]][] = [
    ['createTimeFrom=2026-02-02', ['admin', 'after', 'evening', 'noon', 'midnight']],
    ['createTimeTo=2026-02-02', ['evening', 'noon', 'midnight', 'before']],
    ['createTimeFrom=2026-02-02&createTimeTo=2026-02-02', ['evening', 'noon', 'midnight']],
    ['createTimeFrom=2026-02-02T00:00:00Z&createTimeTo=2026-02-02T12:00:00Z', ['noon', 'midnight']],
    ['createTimeFrom=2026-02-02T12:00:00.001Z&createTimeTo=2026-02-02', ['evening']],
    ['createTimeTo=2026-02-01T23:59:59.999Z', ['before']],
    ['createTimeTo=2026-02-01T23:59:59.998Z', []],
    ['createTimeFrom=2026-02-03T00:00:00.000Z', ['admin', 'after']],
    ['createTimeFrom=2026-02-02T20:00:00%2B08:00&createTimeTo=2026-02-02T20:00:00%2B08:00', ['noon']],
    ['createTimeFrom=2026-02-02T20:00:00+08:00&createTimeTo=2026-02-02T20:00:00+08:00', ['noon']],
    ['createTimeFrom=2026-02-02T07:00:00-05:00&createTimeTo=2026-02-02T07:00:00-05:00', ['noon']],
    ['createTimeFrom=2026-02-02T17:30:00+05:30&createTimeTo=2026-02-02T17:30:00+05:30', ['noon']],
    ['createTimeFrom=2026-02-02t12:00:00z&createTimeTo=2026-02-02t12:00:00z', ['noon']],
    ['createTimeFrom=2026-02-03&createTimeTo=2026-02-02', []],
    ['createTimeFrom=1970-01-01&createTimeTo=9999-12-31', all],
    ['createTimeFrom=&createTimeTo=', all],
    ['createTimeFrom=2024-02-29', all],
  ]
  for (const [query, names] of rows) {
    await t.test(query, async (t) => {
      const data = expectSuccess(t, await askPage(server, token, query))
      t.same(namesOf(data), names)
      t.equal(data.total, names.length)
    })
  }
})

test('what is no RFC 3339 time and no date is refused by name', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const values = [
    'yesterday',
    'now',
    '0',
    '1770000000000',
    '2026',
    '2026-02',
    '2026-2-2',
    '20260202',
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '02/02/2026',
    '2026-02-02T12:00:00',
    '2026-02-02T12:00Z',
    '2026-02-02T25:00:00Z',
    '2026-02-02T24:00:00Z',
    '2026-02-02T23:60:00Z',
    '2026-02-02T23:00:61Z',
    '2026-02-30T12:00:00Z',
    '2026-02-02T12:00:00%2B24:00',
    '2026-02-02T12:00:00%2B08:60',
    '2026-02-02T12:00:00%2B0800',
    '%2B010000-01-01T00:00:00Z',
    '-000001-01-01',
    '2026-02-02;drop table users',
    "2026-02-02' or '1'='1",
    '2026-02-02%00',
    '٢٠٢٦-٠٢-٠٢',
    '2026-02-02T12:00:00Z'.padEnd(41, '0'),
  ]
  for (const value of values) {
    for (const field of ['createTimeFrom', 'createTimeTo']) {
      await t.test(`${field}=${value}`, async (t) => {
        const answer = await askPage(server, token, `${field}=${value}`)
        expectProblem(t, answer, 'invalid_request', [field])
        t.notMatch(answer.text, 'records')
      })
    }
  }
  const twice = await askPage(server, token, 'createTimeFrom=2026-02-02&createTimeFrom=2026-02-03')
  expectProblem(t, twice, 'invalid_request', ['createTimeFrom'])
})
