import type { Test } from 'tap'
import { startServer } from '../helpers/service/server.js'
import { dominance, timeRefusal } from '../helpers/load/timing.js'

/**
 * Takes as many interleaved samples of each kind. They may be told apart as often as one honest run in 15,000 would be: by four standard
 * errors.
 */
export const compareTimes = async (
  t: Test,
  samples: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<void> => {
  const times = { one: [] as number[], other: [] as number[] }
  for (let index = 0; index < samples; index++) {
    // In turns, and in changing order: what the machine does beside falls on both.
    const order = index % 2 === 0 ? (['one', 'other'] as const) : (['other', 'one'] as const)
    for (const which of order) times[which].push(await (which === 'one' ? one() : other()))
  }
  const probability = dominance(times.one, times.other)
  const tolerance = 4 * Math.sqrt(1 / (6 * samples))
  t.ok(Math.abs(probability - 0.5) < tolerance, `told apart with probability ${probability.toFixed(3)}`)
}

/** A server with alice, who is enabled and has a verified address, and bob, who has neither; and what times refusals. */
export const startRefusing = async (t: Test) => {
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
  return { refuse, unknown, unknownAddress: refuse(() => `stranger${stranger++}@example.com`) }
}
