import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep } from '../../helpers/service/factors.js'
import { createGuessing } from '../../helpers/service/guessing.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { userPassword } from '../../helpers/service/server.js'
import { bodyOf } from '../../helpers/peers/mail-server.js'

/** `alice` has an app. `old` are cookies of browsers that somebody has signed in with before she had it. */
const start = async (t: Test) => {
  const { server, mailServer } = await startWithMessages(t, {
    settings: { captcha: { mode: 'never' }, clients: { pc: { maxSessions: 100 } } },
  })
  const old: Record<string, string>[] = []
  for (let count = 0; count < 3; count++) old.push({ cookie: cookiesOf(await firstStep(server, 'alice')) })
  const first = await firstStep(server, 'alice')
  const { accessToken: early } = expectSuccess(t, first)
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  return { server, mailServer, app, old, early, ...createGuessing(server, app) }
}

test('wrong codes in one known browser keep no other one out', async (t) => {
  const { browserWithFactor, guess, wrong, right } = await start(t)
  const [one, two] = [await browserWithFactor(t), await browserWithFactor(t)]
  await guess(t, 10, one)
  expectProblem(t, await wrong(one), 'too_many_attempts')
  expectSuccess(t, await right(two))
  expectSuccess(t, await right())
})

test('who knows the password and has cookies from before the factor keeps no known browser out, at neither step', async (t) => {
  const { server, old, browserWithFactor, guess, wrong, right } = await start(t)
  const own = await browserWithFactor(t)
  for (const cookies of old)
    for (let tries = 0; tries < 6; tries++)
      await firstStep(server, 'alice', { headers: cookies, json: { password: 'wrong horse battery' } })
  expectProblem(t, await firstStep(server, 'alice', { headers: own }), 'second_factor_required')
  await server.operator.unlock('alice')
  await guess(t, 10, old[0])
  for (const cookies of [...old, {}]) expectProblem(t, await wrong(cookies), 'too_many_attempts')
  expectSuccess(t, await right(own))
})

test('the browser in which a factor was set up, or proved in its session, is known for second steps', async (t) => {
  const { server, app, old, guess, right } = await start(t)
  const [browser = {}, other = {}] = old
  const enter = async (headers: Record<string, string>) => {
    const { ticket } = (await firstStep(server, 'alice', { headers })).body.data
    return server.call('POST', '/auth/login', { json: { authType: 'totp', ticket, code: app.nextCode() }, headers })
  }
  const entered = expectSuccess(t, await enter(browser))
  const stepped = await server.call('POST', '/auth/stepUp', {
    token: entered.accessToken,
    json: { authType: 'totp', code: app.nextCode() },
    headers: other,
  })
  expectSuccess(t, stepped)
  await server.addUser('bob')
  const begun = await firstStep(server, 'bob')
  const bob = { cookie: cookiesOf(begun) }
  const { accessToken: token } = expectSuccess(t, begun)
  const confirmed: string[] = []
  const appOfBob = await enrol(
    t,
    {
      clock: server.clock,
      call: async (method, path, options) => {
        const answer = await server.call(method, path, options)
        confirmed.push(cookiesOf(answer))
        return answer
      },
    },
    token,
    { headers: bob },
  )
  await guess(t, 10)
  expectSuccess(t, await right({ cookie: cookiesOf(stepped) }))
  const guessing = createGuessing(server, appOfBob, 'bob')
  await guessing.guess(t, 10)
  expectProblem(t, await guessing.right(bob), 'too_many_attempts')
  expectSuccess(t, await guessing.right({ cookie: confirmed.at(-1) ?? '' }))
})

test('a step-up by the password gives nobody a known browser', async (t) => {
  const { server } = await start(t)
  await server.addUser('bob')
  const { accessToken: token } = await server.signIn('bob')
  const answer = await server.call('POST', '/auth/stepUp', {
    token,
    json: { authType: 'password', password: userPassword },
  })
  expectSuccess(t, answer)
  t.same(answer.headers.getSetCookie(), [])
})

test('an earlier access token stands for its device at the second step, too, if a factor was proved in its session', async (t) => {
  const { server, mailServer, early, guess, right, wrong } = await start(t)
  const { accessToken } = expectSuccess(t, await right())
  await guess(t, 10)
  await server.app.notices.finish()
  const before = mailServer.mails.length
  const browser = { origin: server.origin }
  for (const token of [early, 'x.y.z'])
    expectProblem(t, await wrong({ ...browser, authorization: `Bearer ${token}` }), 'too_many_attempts')
  expectSuccess(t, await right({ ...browser, authorization: `Bearer ${accessToken}` }))
  await server.app.notices.finish()
  t.strictSame(
    mailServer.mails.slice(before).map(({ raw }) => bodyOf(raw)),
    [],
    'nobody is told of a new device',
  )
})

test('a second step on a device that is known by a token from before the factor is told to nobody as one on a new device', async (t) => {
  const { server, mailServer, early, right } = await start(t)
  await server.app.notices.finish()
  const before = mailServer.mails.length
  expectSuccess(t, await right({ origin: server.origin, authorization: `Bearer ${early}` }))
  expectSuccess(t, await right({ origin: server.origin }))
  await server.app.notices.finish()
  const mails = mailServer.mails.slice(before)
  t.equal(mails.length, 1, 'only the new one')
  t.match(bodyOf(mails[0]?.raw ?? ''), /on a device that had not been used/)
})
