import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'tap'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { watchEventLoop } from '../../helpers/load/event-loop.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, insertUsers } from '../../helpers/service/users.js'

const head = 'data:image/png;base64,'
const picture = (length: number) => head + 'A'.repeat(length - head.length)
const address = (length: number) => 'https://example.com/'.padEnd(length, 'a')

const avatars: Record<string, string | null> = {
  none: null,
  'short-address': address(40),
  'long-address': address(2500),
  'short-picture': picture(2000),
  'long-picture': picture(2001),
  'old-picture': picture(3000).replace('data', 'DATA'),
  'longest-picture': picture(60_000),
}
const shown = (name: string) => (/^(long|old|longest)-picture$/.test(name) ? null : avatars[name])

test('a page has long pictures with avatars=true only, and addresses always', async (t) => {
  const server = await startServer(t)
  await insertUsers(
    server,
    Object.entries(avatars).map(([username, avatar]) => ({ username, columns: { avatar } })),
  )
  const { accessToken: token } = await server.signIn()
  const read = async (query: object) => {
    const page = expectSuccess(t, await askPage(server, token, { orderByColumn: 'id', ...query }))
    return { page, names: page.records.map(({ username }: { username: string }) => username) }
  }
  // Three times, because a page is cached when it is asked for again.
  for (let time = 0; time < 3; time++) {
    for (const query of [{}, { avatars: 'false' }, { avatars: '' }]) {
      const { page } = await read(query)
      t.equal(page.records.length, 8)
      for (const { username, avatar } of page.records) t.equal(avatar, shown(username) ?? null, username)
      t.ok(JSON.stringify(page).length < 10_000)
    }
    const { page } = await read({ avatars: 'true' })
    for (const { username, avatar } of page.records) t.equal(avatar, avatars[username] ?? null, username)
    const rest = await read({})
    const withoutAvatars = (records: object[]) => records.map((record) => ({ ...record, avatar: null }))
    t.same(
      { ...page, records: withoutAvatars(page.records) },
      { ...rest.page, records: withoutAvatars(rest.page.records) },
    )
    t.same((await read({ avatars: 'true', pageSize: 3, pageNum: 2 })).names, rest.names.slice(3, 6))
  }
  t.same((await read({ avatars: 'true', keyword: 'nobody' })).page, {
    records: [],
    total: 0,
    size: 10,
    current: 1,
    pages: 0,
  })
  expectProblem(t, await askPage(server, token, { avatars: 'yes' }), 'invalid_request', ['avatars'])
})

test('single records, userInfo, the login result and exports have every picture', async (t) => {
  const server = await startServer(t)
  const avatar = picture(60_000)
  const { id } = await server.addUser('alice', { avatar })
  const { accessToken: token } = await server.signIn()
  t.equal(expectSuccess(t, await server.call('GET', `/system/user/${id}`, { token })).avatar, avatar)
  const result = await server.signIn('alice')
  t.equal(result.userInfo.avatar, avatar)
  const without = expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  for (let time = 0; time < 2; time++) {
    const info = expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: result.accessToken }))
    t.same(info, result.userInfo)
    t.strictSame(Object.keys(info), Object.keys(without), 'in the same order')
  }
  const odd = `"avatar":""\\"avatar\\":\\"\\"`
  const json = { realName: odd }
  expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { token, json }))
  const renamed = expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: result.accessToken }))
  t.same(renamed, { ...result.userInfo, realName: odd })
  const file = await server.call('GET', '/system/user/export', { token })
  t.ok(file.text.includes(avatar), 'in the file')
})

test('sessions of a user with a picture of 60,000 characters take little memory', async (t) => {
  const count = 60
  const server = await startServer(t, { settings: { clients: { pc: { maxSessions: count } } } })
  await server.addUser('alice', { avatar: picture(60_000) })
  const tokens: string[] = []
  while (tokens.length < count) tokens.push((await server.signIn('alice')).accessToken)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const ask = async () => {
    for (const token of tokens) {
      const answer = await fetch(`${server.origin}/auth/userInfo`, { headers: { authorization: `Bearer ${token}` } })
      if (!(await answer.text()).includes(picture(60_000))) t.fail('the picture is there')
    }
  }
  // Outdates what is cached, and again after the first measurement.
  await server.addUser('bob')
  await fetch(`${server.origin}/health/live`)
  const before = used()
  await ask()
  await ask()
  const each = (used() - before) / count
  t.ok(each < 30_000, `${each.toFixed(0)} bytes for each session`)
})

test('a page of 100 users with long pictures holds the event loop for a moment only', onSqliteOnly, async (t) => {
  const server = await startServer(t)
  const columns = { avatar: picture(60_000) }
  await insertUsers(
    server,
    Array.from({ length: 100 }, (_, index) => ({ username: `user${index}`, columns })),
  )
  const { accessToken: token } = await server.signIn()
  const path = `${server.origin}/system/user/page?pageSize=100&keyword=user&avatars=`
  for (const [withPictures, maxHold, size] of [
    ['false', 12, 60_000],
    ['true', 20, 6_100_000],
  ] as const) {
    let shortest = Infinity
    for (let time = 0; time < 10 && shortest > maxHold; time++) {
      const hold = watchEventLoop()
      const answer = await fetch(path + withPictures, { headers: { authorization: `Bearer ${token}` } })
      const { byteLength } = await answer.arrayBuffer()
      shortest = Math.min(shortest, hold())
      t.ok(byteLength < size, `${byteLength} bytes`)
    }
    t.ok(shortest <= maxHold, `avatars=${withPictures} holds it for ${shortest.toFixed(1)} ms`)
  }
})
