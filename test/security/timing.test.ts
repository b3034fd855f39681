import { test, type Test } from 'tap'
import { startServer, type TestServer } from '../helpers/server.js'

/** Interleaved samples of each kind. */
const samples = 120

/** Milliseconds that a refused sign-in takes. */
const measure = async (server: TestServer, json: object): Promise<number> => {
  const begin = performance.now()
  const { status } = await server.call('POST', '/auth/login', { json })
  if (status !== 400) throw new Error(`answered ${status}`)
  return performance.now() - begin
}

/**
 * The probability that a value of one sample is below one of the other (Mann-Whitney U / n²): 0.5 when nothing tells
 * them apart. Its standard error for 120 and 120 equal samples is 0.037.
 */
const dominance = (one: number[], other: number[]): number =>
  one.reduce((sum, a) => sum + other.reduce((inner, b) => inner + (a < b ? 1 : a === b ? 0.5 : 0), 0), 0) /
  (one.length * other.length)

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
  await server.addUser('alice')
  await server.addUser('bob')
  await server.app.accounts.setEnabled('bob', false)
  let count = 0
  const refuse = (username: () => string) => async () => {
    // Every name is tried a few times only, so that none is paused.
    if (count++ % 100 === 0) for (const name of ['alice', 'bob']) await server.app.accounts.unlock(name)
    return measure(server, { username: username(), password: 'wrong horse battery' })
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
})
