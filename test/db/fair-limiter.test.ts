import { getEventListeners } from 'node:events'
import { test } from 'tap'
import { createFairLimiter } from '../../db/lists/fair-limiter.js'

const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Work that ends when the test says so, and what has begun so far, in that order. */
const start = (maxAtOnce: number) => {
  const runFairly = createFairLimiter(maxAtOnce)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (userId: number, name: string, signal?: AbortSignal) =>
    runFairly(userId, signal, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const endNext = async () => {
    ends.shift()?.()
    await tick()
  }
  return { ask, begun, endNext }
}

test('so many pages are read at once, and their users take turns', async (t) => {
  const { ask, begun, endNext } = start(2)
  const asked = [ask(1, 'a1'), ask(1, 'a2'), ask(1, 'a3'), ask(1, 'a4'), ask(2, 'b1'), ask(3, 'c1')]
  await tick()
  t.same(begun, ['a1', 'a2'])
  for (let count = 0; count < 6; count++) await endNext()
  t.same(begun, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4'])
  t.same(await Promise.all(asked), ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'])
})

test('who gives up leaves the queue, and the others go on', async (t) => {
  const { ask, begun, endNext } = start(1)
  const controller = new AbortController()
  const first = ask(1, 'a1')
  const given = ask(1, 'a2', controller.signal)
  const last = ask(2, 'b1')
  controller.abort(new Error('hung up'))
  await t.rejects(given, { message: 'hung up' })
  await t.rejects(ask(1, 'a3', controller.signal), { message: 'hung up' })
  for (let count = 0; count < 2; count++) await endNext()
  t.same(begun, ['a1', 'b1'])
  t.same(await Promise.all([first, last]), ['a1', 'b1'])
})

test('work that fails makes room for the next', async (t) => {
  const runFairly = createFairLimiter(1)
  await t.rejects(
    runFairly(1, undefined, async () => {
      throw new Error('failed')
    }),
  )
  t.equal(await runFairly(1, undefined, async () => 'done'), 'done')
})

test('whoever waits for many turns with one signal leaves nothing on it', async (t) => {
  const runFairly = createFairLimiter(1)
  const { signal } = new AbortController()
  const listeners: number[] = []
  const page = async (userId: number) => {
    for (let step = 0; step < 20; step++)
      await runFairly(userId, signal, async () => {
        await tick()
        listeners.push(getEventListeners(signal, 'abort').length)
      })
  }
  await Promise.all([page(1), page(2), page(3)])
  t.equal(listeners.length, 60)
  t.ok(Math.max(...listeners) <= 3)
  t.equal(getEventListeners(signal, 'abort').length, 0)
})
