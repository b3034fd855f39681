import { setTimeout } from 'node:timers/promises'
import { test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { userStatuses } from '../../../schemas/user.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startMailServer } from '../../helpers/peers/mail-server.js'
import { startServer } from '../../helpers/service/server.js'
import { codeIn, startWithMessages, type WithMessages } from '../../helpers/service/self-service.js'
import { importFile } from '../../helpers/service/upload.js'

const newPassword = 'violet umbrella stand'

/** With bob, who is invited. */
const startInvited = async (t: Parameters<typeof startWithMessages>[0]) => {
  const started = await startWithMessages(t)
  const { server } = started
  const { accessToken: token } = await server.signIn()
  const call = (method: string, path: string, json?: object) =>
    server.call(method, path, { token, ...(json === undefined ? {} : { json }) })
  const add = async (username: string, more: object = { email: `${username}@example.com` }): Promise<number> =>
    expectSuccess(t, await call('POST', '/system/user', { username, ...more })).id
  let bob = 0
  const text = await started.mailAfter(async () => {
    bob = await add('bob')
  })
  /** As the list and the page of the user show it. */
  const invitedTime = async (id = bob): Promise<string | null> => {
    const { records } = (await call('GET', '/system/user/page?pageSize=100')).body.data
    const listed = records.find((record: { id: number }) => record.id === id)
    const shown = expectSuccess(t, await call('GET', `/system/user/${id}`))
    t.equal(listed.invitedTime, shown.invitedTime)
    for (const [invited, isThere] of [
      ['true', shown.invitedTime !== null],
      ['false', shown.invitedTime === null],
    ] as const) {
      const page = (await call('GET', `/system/user/page?pageSize=100&invited=${invited}`)).body.data
      t.equal(
        page.records.some((record: { id: number }) => record.id === id),
        isThere,
        `found by invited=${invited}`,
      )
    }
    return shown.invitedTime
  }
  return { ...started, token, call, add, bob, code: codeIn(text), invitedTime }
}

const reset = ({ post }: Pick<WithMessages, 'post'>, code: string) =>
  post('/auth/password/reset', { recipient: 'bob@example.com', code, newPassword })

test('where no administrator can sign in, too, each user of a batch counts once', async (t) => {
  const { server, mailServer } = await startWithMessages(t)
  const { accessToken: token } = await server.signIn()
  const json = { username: 'bob', email: 'bob@example.com' }
  const { id: bob } = expectSuccess(t, await server.call('POST', '/system/user', { token, json }))
  await mailServer.waitFor(1)
  const { id: known } = await server.addUser('known')
  await server.app.db.users.change(1, { userStatus: userStatuses.disabled }, server.clock.now())
  server.clock.advance(60)
  const outcome = await server.app.management.batch(operatorActor(), { ids: [bob, known], action: 'invite' })
  t.same(outcome, { invited: 1, withPassword: [known], recentlyInvited: [] })
  t.equal((await mailServer.waitFor(2)).length, 2, 'one more mail')
})

test('who has typed the code of an earlier message first gets in with the newest', async (t) => {
  const started = await startInvited(t)
  const { server, call, bob, code, mailAfter } = started
  server.clock.advance(120)
  const text = await mailAfter(async () => expectSuccess(t, await call('POST', `/system/user/${bob}/invite`)))
  for (let tries = 0; tries < 4; tries++) expectProblem(t, await reset(started, code), 'invalid_code')
  expectSuccess(t, await reset(started, codeIn(text)))
})

test('who has mistyped the code too often gets in with that of another invitation at once', async (t) => {
  const started = await startInvited(t)
  const { server, call, bob, code, mailAfter } = started
  const wrong = code === '000000' ? '000001' : '000000'
  let reason = ''
  for (let tries = 0; tries < 9 && reason !== 'too_many_attempts'; tries++)
    reason = (await reset(started, wrong)).body.data.reason
  t.equal(reason, 'too_many_attempts')
  server.clock.advance(60)
  expectProblem(t, await reset(started, code), 'too_many_attempts')
  const text = await mailAfter(async () => expectSuccess(t, await call('POST', `/system/user/${bob}/invite`)))
  expectSuccess(t, await reset(started, codeIn(text)))
})

test('who is invited is shown so until the person comes, by a password or a sign-in', async (t) => {
  const started = await startInvited(t)
  const { server, call, add, bob, alice, code, invitedTime, post, mailedCode, mailServer } = started
  const time = new Date(server.clock.now()).toISOString()
  t.equal(await invitedTime(), time)
  t.equal(await invitedTime(alice.id), null)
  expectSuccess(t, await reset(started, code))
  t.equal(await invitedTime(), null)

  const carol = await add('carol')
  await mailServer.waitFor(2)
  t.equal(await invitedTime(carol), time)
  const signIn = await mailedCode(() => post('/auth/captcha/email', { email: 'carol@example.com' }))
  t.equal(await invitedTime(carol), time, 'not by asking for a code')
  const codeOf = { authType: 'email_captcha', email: 'carol@example.com', code: signIn }
  expectSuccess(t, await post('/auth/login', codeOf))
  t.equal(await invitedTime(carol), null)

  const dora = await add('dora')
  expectSuccess(t, await call('POST', `/system/user/${dora}/password`, { password: newPassword }))
  t.equal(await invitedTime(dora), null)
  t.equal(await invitedTime(await add('erin', { password: newPassword })), null)
  t.equal(await invitedTime(bob), null)
})

test('an invited person is invited again, at most once a minute, and both codes are good', async (t) => {
  const started = await startInvited(t)
  const { server, call, bob, code, invitedTime, mailAfter, mailServer } = started
  const again = () => call('POST', `/system/user/${bob}/invite`)
  server.clock.advance(59)
  expectSuccess(t, await again())
  const before = await invitedTime()
  server.clock.advance(1)
  const text = await mailAfter(async () => expectSuccess(t, await again()))
  t.equal(mailServer.mails.length, 2, 'none for the first one')
  t.match(text, 'Administrator invites you to Rollcall')
  t.not(codeIn(text), code)
  t.ok(Date.parse((await invitedTime()) ?? '') > Date.parse(before ?? ''))
  const events = await call('GET', '/system/audit/page?action=user.invite')
  t.match(events.body.data.records, [{ actorName: 'admin', targetName: 'bob' }])
  t.equal(events.body.data.total, 1)
  expectSuccess(t, await reset(started, codeIn(text)))
  expectProblem(t, await again(), 'invalid_request', ['id'])
})

const refusals = [
  ['a password', { password: newPassword, email: 'carol@example.com' }, /password already/],
  ['no address', { password: newPassword }, /no e-mail address or phone number/],
  ['a disabled account', { email: 'carol@example.com', userStatus: userStatuses.disabled }, /disabled or locked/],
] as const
for (const [what, user, message] of refusals)
  test(`nobody with ${what} is invited`, async (t) => {
    const { server, call, add, mailServer } = await startInvited(t)
    const id =
      what === 'no address'
        ? await server.operator.addUser({ username: 'carol', forcePasswordChange: false })
        : await add('carol', user)
    const number = typeof id === 'number' ? id : id.id
    server.clock.advance(60)
    const sent = mailServer.mails.length
    const answer = await call('POST', `/system/user/${number}/invite`)
    expectProblem(t, answer, 'invalid_request', ['id'])
    t.match(answer.body.message, message)
    const several = await call('POST', '/system/user/batch', { ids: [2, number], action: 'invite' })
    expectProblem(t, several, 'invalid_request')
    t.ok(several.body.data.violations.some(({ field }: { field: string }) => field === 'ids.1'))
    await server.app.close()
    t.ok(mailServer.mails.length <= sent + (what === 'a disabled account' ? 1 : 0), 'nothing is sent')
  })

test('several are invited at once, at most 100, without those who have a password', async (t) => {
  const { server, call, add, alice, bob, mailServer, invitedTime } = await startInvited(t)
  const carol = await add('carol')
  const known = await add('dora', { password: newPassword, email: 'dora@example.com' })
  await mailServer.waitFor(2)
  server.clock.advance(60)
  const before = await invitedTime()
  const invite = (ids: number[]) => call('POST', '/system/user/batch', { ids, action: 'invite' })
  const disabled = await add('frank', { email: 'frank@example.com', userStatus: userStatuses.disabled })
  await mailServer.waitFor(3)
  expectProblem(t, await invite([bob, known, disabled, carol]), 'invalid_request', ['ids.2'])
  expectProblem(t, await invite([known, alice.id]), 'invalid_request', ['ids.0', 'ids.1'])
  const many = Array.from({ length: 101 }, (_id, at) => at + 1)
  const tooMany = await invite(many)
  expectProblem(t, tooMany, 'invalid_request', ['ids'])
  t.match(tooMany.body.message, /at most 100/)
  t.equal(await invitedTime(), before)
  const erin = await add('erin')
  await mailServer.waitFor(4)
  t.same(
    expectSuccess(t, await invite([bob, known, carol, erin])),
    { invited: 2, withPassword: [known], recentlyInvited: [erin] },
    'without the one of this minute and the one with a password',
  )
  t.same(expectSuccess(t, await invite([carol])), { invited: 0, withPassword: [], recentlyInvited: [carol] })
  t.same(
    expectSuccess(t, await invite([carol, known])),
    { invited: 0, withPassword: [known], recentlyInvited: [carol] },
    'there was somebody to invite',
  )
  const mails = await mailServer.waitFor(6)
  await server.app.close()
  t.equal(mails.length, 6)
  t.strictSame(
    mails
      .slice(4)
      .flatMap(({ to }) => to)
      .sort(),
    ['bob@example.com', 'carol@example.com'],
  )
})

test('an import invites those who have no password and can be reached, if it is asked to', async (t) => {
  const { server, token, call, mailServer } = await startInvited(t)
  const file = (name: string) =>
    [
      'username,email,password',
      `${name}1,${name}1@example.com,`,
      `${name}2,${name}2@example.com,a brand new kettle`,
      `${name}3,,`,
    ].join('\n')
  const importWith = async (name: string, query: string) =>
    expectSuccess(t, await importFile(server, token, file(name), { query }))
  t.match(await importWith('a', 'dryRun=true&invite=true'), { added: 0, invited: 0 })
  t.match(await importWith('b', ''), { added: 3, invited: 0, summary: 'Added 3 users' })
  const report = await importWith('c', 'invite=true')
  t.match(report, { added: 3, invited: 1, summary: 'Added 3 users; 1 invitation on the way' })
  const mails = await mailServer.waitFor(2)
  const { records } = (await call('GET', '/system/user/page?pageSize=100')).body.data
  const invited = records.filter(({ invitedTime }: { invitedTime: string | null }) => invitedTime !== null)
  t.strictSame(invited.map(({ username }: { username: string }) => username).sort(), ['bob', 'c1'])
  t.same(mails[1]?.to, ['c1@example.com'])
  await server.app.close()
  t.equal(mailServer.mails.length, 2)
})

test('whom no message has reached does not count as invited, and is invited again at once', async (t) => {
  let refusal: Error | undefined = Object.assign(new Error('try later'), { responseCode: 451 })
  const mailServer = await startMailServer(t, () => refusal)
  const server = await startServer(t, { settings: { mail: { url: mailServer.url } } })
  const { accessToken: token } = await server.signIn()
  const add = await server.call('POST', '/system/user', { token, json: { username: 'bob', email: 'bob@example.com' } })
  const { id } = expectSuccess(t, add)
  const invitedTime = async (): Promise<string | null> =>
    expectSuccess(t, await server.call('GET', `/system/user/${id}`, { token })).invitedTime
  while ((await invitedTime()) !== null) await setTimeout(5)
  t.match(server.log(), /a code could not be delivered/)
  refusal = undefined
  expectSuccess(t, await server.call('POST', `/system/user/${id}/invite`, { token }))
  await mailServer.waitFor(1)
  t.type(await invitedTime(), 'string')
})
