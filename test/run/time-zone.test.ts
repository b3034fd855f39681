import { readSheet } from 'read-excel-file/universal'
import { test } from 'tap'
import { createTimeZone } from '../../lib/time-zone.js'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { hasWorkbooks } from '../helpers/service/file-formats.js'
import { startWithMessages } from '../helpers/service/self-service.js'
import { startServer, userPassword } from '../helpers/service/server.js'
import { askPage, insertUsers, namesOf } from '../helpers/service/users.js'

const rows: [zone: string, time: string, text: string, local: string][] = [
  ['Asia/Shanghai', '2026-02-01T18:30:00.000Z', '2026-02-02T02:30:00.000+08:00', '2026-02-02 02:30:00'],
  ['UTC', '2026-02-01T18:30:00.000Z', '2026-02-01T18:30:00.000Z', '2026-02-01 18:30:00'],
  ['Asia/Kolkata', '2026-02-01T18:30:00.000Z', '2026-02-02T00:00:00.000+05:30', '2026-02-02 00:00:00'],
  ['America/New_York', '2026-03-08T06:59:59.999Z', '2026-03-08T01:59:59.999-05:00', '2026-03-08 01:59:59'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00:00.000-04:00', '2026-03-08 03:00:00'],
  ['Australia/Lord_Howe', '2026-07-01T00:00:00.000Z', '2026-07-01T10:30:00.000+10:30', '2026-07-01 10:30:00'],
  ['Asia/Kathmandu', '2026-07-01T00:00:00.000Z', '2026-07-01T05:45:00.000+05:45', '2026-07-01 05:45:00'],
]

test('times are written in the zone, and local ones are read in it', (t) => {
  for (const [name, time, text, local] of rows) {
    const zone = createTimeZone(name)
    const epoch = Date.parse(time)
    t.equal(zone.toText(epoch), text, name)
    t.equal(Date.parse(zone.toText(epoch)), epoch)
    t.equal(zone.toLocal(epoch), local)
    t.equal(zone.readTime('x', local, false, true), Math.floor(epoch / 1000) * 1000)
  }
  const newYork = createTimeZone('America/New_York')
  const start = newYork.readTime('x', '2026-03-08', false) ?? 0
  const end = newYork.readTime('x', '2026-03-08', true) ?? 0
  t.equal(end - start + 1, 23 * 3_600_000, 'a day on which clocks are put forward')
  for (const wrong of ['2026-02-30', '2026-02-30 08:00:00', '2026-02-01 25:00:00', 'yesterday', ''])
    t.throws(() => newYork.readTime('x', wrong, false, true), { code: 'invalid_request' }, wrong)
  t.throws(() => newYork.readTime('x', '2026-02-01 08:00:00', false), { code: 'invalid_request' })
  t.end()
})

const users = [
  { username: 'before', createTime: Date.parse('2026-02-01T15:59:59.999Z') },
  { username: 'midnight', createTime: Date.parse('2026-02-01T16:00:00.000Z') },
  { username: 'evening', createTime: Date.parse('2026-02-02T15:59:59.999Z') },
  { username: 'after', createTime: Date.parse('2026-02-02T16:00:00.000Z') },
]

test('dates of filters and files are those of the setting; answers are RFC 3339', async (t) => {
  const server = await startServer(t, { settings: { timeZone: 'Asia/Shanghai' } })
  await insertUsers(server, users)
  const { accessToken: token } = await server.signIn()
  const ofDay = 'createTimeFrom=2026-02-02&createTimeTo=2026-02-02'
  const page = await askPage(server, token, ofDay)
  t.same(namesOf(page.body.data), ['evening', 'midnight'])
  t.equal(page.body.data.records[1].createTime, '2026-02-01T16:00:00.000Z')

  const csv = await server.call('GET', '/system/user/export', { token, query: ofDay })
  t.match(csv.text, '2026-02-02T00:00:00.000+08:00')
  t.notMatch(csv.text, /T16:00:00/)
  t.match(csv.headers.get('content-disposition'), /users-2026-06-01\.csv/)
  if (hasWorkbooks) {
    const workbook = await fetch(`${server.origin}/system/user/export?format=xlsx&username=midnight`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const sheet = await readSheet(await workbook.arrayBuffer())
    t.match(JSON.stringify(sheet), '2026-02-02 00:00:00')
  }

  // The clock of the test stands at 08:00 UTC, 16:00 in Shanghai.
  const found = async (path: string, query: string) =>
    expectSuccess(t, await server.call('GET', path, { token, query })).records.length as number
  t.equal(await found('/system/login-log/page', 'timeFrom=2026-06-01&timeTo=2026-06-01'), 1)
  const refused = await server.call('GET', '/system/login-log/page', { token, query: 'timeFrom=2026-06-01%2016:00:00' })
  expectProblem(t, refused, 'invalid_request', ['timeFrom'])
})

test('a notice says the time in the zone of the setting', async (t) => {
  const { server, mailAfter } = await startWithMessages(t, { settings: { timeZone: 'Asia/Shanghai' } })
  const { accessToken: token } = await server.signIn('alice')
  const json = { oldPassword: userPassword, newPassword: 'violet umbrella stand' }
  const mail = await mailAfter(() => server.call('POST', '/auth/changePassword', { token, json }))
  t.match(mail, '2026-06-01 16:00:00 (Asia/Shanghai)')
})

test('a time zone that does not exist is refused', async (t) => {
  for (const timeZone of ['Mars/Phobos', '', 'GMT+25'])
    await t.rejects(startServer(t, { settings: { timeZone } }), /timeZone.*time zone such as Asia\/Shanghai/s)
})
