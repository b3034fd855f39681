import { test } from 'tap'
import { makeApiToken } from '../../../lib/api-token.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { parallel, tally } from '../../helpers/values/compare.js'
import { list, startApiTokens } from './start-api-tokens.js'

test('a token may do what it was given and its owner may', async (t) => {
  const { server, job, add, get } = await startApiTokens(t)
  const rows: [given: string[] | null, has: string[]][] = [
    [null, ['system:role:list', 'system:user:list']],
    [['system:user:list'], ['system:user:list']],
    [['system:*:list'], ['system:role:list', 'system:user:list']],
    [['*:*:*'], ['system:role:list', 'system:user:list']],
    [['system:user:*', 'system:tenant:list'], ['system:user:list']],
    [['system:user:add'], []],
    [[], []],
  ]
  for (const [permissions, has] of rows) {
    const { token } = await add({ permissions })
    const held = expectSuccess(t, await get('/auth/current/permissions', token)) as string[]
    t.strictSame(held.toSorted(), has, String(permissions))
    const info = expectSuccess(t, await get('/auth/userInfo', token))
    t.strictSame((info.permissions as string[]).toSorted(), has)
    t.equal(info.username, 'job')
    for (const [path, permission] of Object.entries({
      [list]: 'system:user:list',
      '/system/role/page': 'system:role:list',
    })) {
      const answer = await get(path, token)
      if (has.includes(permission)) expectSuccess(t, answer)
      else expectProblem(t, answer, 'permission_denied')
    }
  }
  const { token } = await add({ permissions: ['system:user:list'] })
  const checked = await get('/auth/check?permission=system:user:list', token)
  t.match([checked.status, checked.headers.get('x-user-id')], [200, String(job.id)])
  expectProblem(t, await get('/auth/check?permission=system:role:list', token), 'permission_denied')
  // Wider permissions of the owner are narrowed to those of the token.
  await server.operator.addRole('all', 'All', ['system:*:*'])
  await server.operator.assign('all', 'job')
  t.strictSame(expectSuccess(t, await get('/auth/current/permissions', token)), ['system:user:list'])
})

test('what is no token costs no question to the database, and where no token belongs it is not read', async (t) => {
  const { server, add, get } = await startApiTokens(t)
  const { token } = await add()
  const { apiTokens } = server.app.db
  const find = apiTokens.find.bind(apiTokens)
  let asked = 0
  apiTokens.find = async (hash) => {
    asked++
    return find(hash)
  }
  const changed = Array.from({ length: token.length - 4 }, (_, index) => {
    const place = index + 4
    return `${token.slice(0, place)}${token[place] === 'x' ? 'y' : 'x'}${token.slice(place + 1)}`
  })
  for (const wrong of [...changed, 'rct_', 'rct_x', `${token}x`, token.slice(0, -1), `rct_${'x'.repeat(10_000)}`])
    expectProblem(t, await get(list, wrong), 'token_invalid')
  for (const prefix of ['RCT_', 'rct-']) expectProblem(t, await get(list, prefix + token.slice(4)), 'token_invalid')
  t.equal((await get(list, `rct_${'x'.repeat(1_000_000)}`)).status, 431)

  const path = `/auth/userInfo?access_token=${token}&token=${token}`
  expectProblem(t, await server.call('GET', path), 'token_missing')
  expectProblem(
    t,
    await server.call('GET', '/auth/userInfo', { headers: { cookie: `token=${token}` } }),
    'token_missing',
  )
  const form = { access_token: token, token }
  expectProblem(t, await server.call('POST', '/system/user', { form }), 'token_missing')
  t.equal(asked, 0)
  expectSuccess(t, await get(list, token))
  t.equal(asked, 1)
  t.notMatch(server.log(), token)
  t.notMatch(server.log(), token.slice(8))
})

test('10,000 guesses are counted by address, and the right token passes from there', async (t) => {
  const { server, add, get } = await startApiTokens(t, { environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' } })
  const { token } = await add()
  const guesses = Array.from({ length: 10_000 }, makeApiToken)
  const answers: Awaited<ReturnType<typeof get>>[] = []
  for (let at = 0; at < guesses.length; at += 100)
    answers.push(...(await Promise.all(guesses.slice(at, at + 100).map((guess) => get('/auth/check', guess)))))
  t.same(tally(answers), { token_ended: 50, too_many_attempts: 9950 })
  expectProblem(t, await get('/auth/check', makeApiToken()), 'too_many_attempts')
  expectSuccess(t, await get('/auth/check', token))
  expectProblem(t, await get('/auth/check', makeApiToken(), '198.51.100.7'), 'token_ended')
  // Sign-ins and sessions of that address have counters of their own.
  const { accessToken } = await server.signIn('job')
  expectSuccess(t, await get('/auth/check', accessToken))
})

test('where administration asks for a second factor, a token that was made without one administers nothing', async (t) => {
  const { add, get } = await startApiTokens(t, { settings: { secondFactor: { administration: 'aal2' } } })
  const [weak, strong] = [await add(), await add({ acr: 'aal2' })]
  expectProblem(t, await get(list, weak.token), 'token_not_allowed')
  expectSuccess(t, await get('/auth/userInfo', weak.token))
  expectSuccess(t, await get(list, strong.token))
})

test('whoever must change the password first does not pass by a token either', async (t) => {
  const { server, add, get } = await startApiTokens(t)
  const { token } = await add()
  await server.operator.setPassword('job', 'plain green teapot', { forcePasswordChange: true })
  expectProblem(t, await get(list, token), 'token_ended')
  const later = await add()
  expectProblem(t, await get(list, later.token), 'password_change_required')
})

test('the last use is stored with time and address, at most once a minute', async (t) => {
  const { server, job, add, get } = await startApiTokens(t)
  const { token } = await add()
  const used = async () => {
    const [found] = await server.app.db.apiTokens.liveOfUser(job.id, server.clock.now())
    return [found?.lastUsedTime, found?.lastUsedIp]
  }
  t.strictSame(await used(), [null, null])
  const first = server.clock.now()
  await parallel(20, () => get(list, token))
  t.strictSame(await used(), [first, '192.0.2.7'])
  server.clock.advance(59)
  await get(list, token, '198.51.100.7')
  t.strictSame(await used(), [first, '192.0.2.7'])
  server.clock.advance(1)
  await get(list, token, '198.51.100.7')
  t.strictSame(await used(), [first + 60_000, '198.51.100.7'])
})
