import { test, type Test } from 'tap'
import { expectSuccess } from '../helpers/service/expect.js'
import { startWithMessages } from '../helpers/service/self-service.js'
import { startServer } from '../helpers/service/server.js'
import { dominance, timeRefusal } from '../helpers/load/timing.js'

/** Interleaved samples of each kind. */
const samples = 120

/** Four standard errors: one honest run in 15,000 lies beyond. */
const tolerance = 0.15

const compare = async (t: Test, one: () => Promise<number>, other: () => Promise<number>) => {
  const times = { one: [] as number[], other: [] as number[] }
  for (let index = 0; index < samples; index++) {
    // In turns, and in changing order: what the machine does beside falls on both.
    const order = index % 2 === 0 ? (['one', 'other'] as const) : (['other', 'one'] as const)
    for (const which of order) times[which].push(await (which === 'one' ? one() : other()))
  }
  const probability = dominance(times.one, times.other)
  t.ok(Math.abs(probability - 0.5) < tolerance, `told apart with probability ${probability.toFixed(3)}`)
}

test('L1: the time of a refusal does not tell whether a name exists', async (t) => {
  const server = await startServer(t, {
    hasRealHashes: true,
    settings: { captcha: { mode: 'never' }, lockout: { nameFailures: 100, nameFailuresAnywhere: 100 } },
  })
  await server.addUser('alice', { email: 'alice@example.com' })
  await server.addUser('bob', { email: 'bob@example.com' })
  await server.app.accounts.verifyContacts('alice', { phone: false, email: true })
  await server.operator.setEnabled('bob', false)
  let count = 0
  const refuse = (username: () => string) => async () => {
    // Every name is tried a few times only, so that none is paused.
    if (count++ % 60 === 0) for (const name of ['alice', 'bob']) await server.operator.unlock(name)
    return timeRefusal(server, { username: username(), password: 'wrong horse battery' })
  }
  let stranger = 0
  const unknown = refuse(() => `stranger${stranger++}`)
  for (let warm = 0; warm < 10; warm++) await unknown()

  await t.test('a wrong password beside an unknown name', (t) =>
    compare(
      t,
      refuse(() => 'alice'),
      unknown,
    ),
  )
  await t.test('a disabled account beside an unknown name', (t) =>
    compare(
      t,
      refuse(() => 'bob'),
      unknown,
    ),
  )
  const unknownAddress = refuse(() => `stranger${stranger++}@example.com`)
  for (const [sentence, address] of [
    ['a wrong password for a verified address', 'alice@example.com'],
    ['one for an address that nobody has verified', 'bob@example.com'],
  ] as const)
    await t.test(`${sentence} beside an unknown address`, (t) =>
      compare(
        t,
        refuse(() => address),
        unknownAddress,
      ),
    )
})

test('L1: the time of a request for a new password does not tell whether somebody has the address', async (t) => {
  const { server, post, mailServer } = await startWithMessages(t)
  for (let number = 0; number < samples; number++)
    await server.addUser(`user${number}`, { email: `user${number}@example.com` })
  const request = (name: string) => {
    let number = 0
    return async () => {
      const begin = performance.now()
      const answer = await post('/auth/password/forgot', { recipient: `${name}${number++}@example.com` })
      const time = performance.now() - begin
      expectSuccess(t, answer)
      return time
    }
  }
  const warm = request('warm')
  for (let number = 0; number < 10; number++) await warm()
  await compare(t, request('user'), request('none'))
  // The requests were of both kinds: each known address has its mail, and no other one.
  await mailServer.waitFor(samples)
  t.same(new Set(mailServer.mails.flatMap(({ to }) => to)).size, samples)
})
