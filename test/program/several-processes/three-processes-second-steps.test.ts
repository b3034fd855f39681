import { test, type Test } from 'tap'
import { createAuthenticator } from '../../../bench/authenticator.js'
import { canStartRedis, skipped, startRedis, type RedisServer } from '../../helpers/databases/redis.js'
import { startThree } from '../../helpers/processes/three-processes.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { addPasskey, requestOptions, sendCredential } from '../../helpers/service/passkeys.js'
import { userPassword } from '../../helpers/service/passwords.js'

/** Of all three, whatever their ports are: passkeys belong to it. */
const publicUrl = 'http://localhost:3000'
const clock = { now: () => Date.now(), advance: () => undefined }

const stores = ['the database', 'Redis'] as const
const skipOf = async (store: (typeof stores)[number]) =>
  store === 'Redis' && !(await canStartRedis()) ? skipped : false

const start = async (t: Test, redis: RedisServer | undefined) => {
  const three = await startThree(t, { publicUrl, ...(redis && { redisUrl: redis.url }) })
  const { id } = await three.operator.addUser({
    username: 'alice',
    password: userPassword,
    forcePasswordChange: false,
  })
  const ticketAt = async (index: number, headers: Record<string, string> = {}) =>
    (await firstStep(three.at(index), 'alice', { headers })).body.data.ticket as string
  return { three, id, ticketAt }
}

for (const store of stores) {
  const skip = await skipOf(store)
  test(`a second step that one process refuses is whole at the next one, with ${store}`, { skip }, async (t) => {
    const { three, id, ticketAt } = await start(t, store === 'Redis' ? await startRedis(t) : undefined)
    const token = await three.signIn(0, 'alice')
    const { recoveryCodes } = await enrol(t, { call: three.at(1).call, clock }, token)
    const [code = '', second = ''] = recoveryCodes
    const ticket = await ticketAt(0)
    await three.operator.setEnabled('alice', false)
    const proof = { authType: 'recovery', ticket, code, trustDevice: true }
    for (const index of [1, 2]) {
      const refused = await secondStep(three.at(index), proof)
      expectProblem(t, refused, 'account_disabled')
      t.strictSame(refused.headers.getSetCookie(), [])
    }
    t.equal(await three.db.recoveryCodes.left(id), 10)
    t.strictSame(await three.db.trustedDevices.ofUser(id, Date.now()), [])
    await three.operator.setEnabled('alice', true)
    const answers = await three.spread(6, (server) => secondStep(server, { ...proof, trustDevice: false }))
    t.equal(answers.filter(({ status }) => status === 200).length, 1, 'one of six at once')
    t.equal(await three.db.recoveryCodes.left(id), 9)
    t.equal((await three.db.sessions.live(id, Date.now())).length, 1)
    const [earlier] = answers.filter(({ status }) => status === 200).map((answer) => ({ cookie: cookiesOf(answer) }))
    if (!earlier) return

    // A copy of the cookie from before a proof is worth nothing after it, wherever it is shown.
    const trusting = await secondStep(
      three.at(1),
      { authType: 'recovery', ticket: await ticketAt(0, earlier), code: second, trustDevice: true },
      earlier,
    )
    const session = expectSuccess(t, trusting)
    const later = { cookie: cookiesOf(trusting) }
    expectProblem(t, await firstStep(three.at(2), 'alice', { headers: earlier }), 'second_factor_required')
    expectSuccess(t, await firstStep(three.at(0), 'alice', { headers: later }))
    const refresh = (index: number, headers: Record<string, string>) =>
      three.at(index).call('POST', '/auth/refreshToken', { token: session.accessToken, headers })
    expectProblem(t, await refresh(0, earlier), 'token_invalid')
    expectSuccess(t, await refresh(2, later))
  })

  test(`a passkey that one process has let in is refused at the others, with ${store}`, { skip }, async (t) => {
    const redis = store === 'Redis' ? await startRedis(t) : undefined
    const { three } = await start(t, redis)
    const token = await three.signIn(0, 'alice')
    const authenticator = createAuthenticator(publicUrl, {})
    await addPasskey(t, three.at(1), authenticator, { token })
    const credential = authenticator.get(await requestOptions(t, three.at(2)))
    const answers = await three.spread(9, (server) => sendCredential(server, credential))
    t.equal(answers.filter(({ status }) => status === 200).length, 1, 'one of nine at once')
    await redis?.run('flushall')
    for (const index of [0, 1, 2]) expectProblem(t, await sendCredential(three.at(index), credential), 'invalid_grant')
  })
}
