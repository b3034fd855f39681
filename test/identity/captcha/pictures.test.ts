import { captchaEntry } from '../../../plugins/identity/captcha/captchas.js'
import { test } from 'tap'
import { createPictures } from '../../../plugins/identity/captcha/pictures.js'
import { echo } from '../../helpers/service/captcha.js'
import { parallel } from '../../helpers/values/compare.js'
import { watchEventLoop } from '../../helpers/load/event-loop.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

/** Milliseconds. */
const longestHold = 20
/** A host may take all of the machine for a while; nobody is that unlucky every time. */
const tries = 4

test('twenty captchas at once do not hold the event loop', async (t) => {
  const server = await startServer(t)
  const ask = () => parallel(20, () => server.app.captchas.create(undefined, '203.0.113.1'))
  await ask()
  const holds: number[] = []
  while (holds.length < tries && !holds.some((hold) => hold <= longestHold)) {
    const longest = watchEventLoop()
    await ask()
    holds.push(longest())
  }
  t.ok(Math.min(...holds) <= longestHold, `held for ${holds.map((hold) => hold.toFixed(1)).join(', ')} ms`)
})

test('more people than pictures lie ready get a picture of their own, with the right answer', async (t) => {
  const server = await startServer(t, { environment: echo })
  const answers = await parallel(30, () => server.call('GET', '/auth/captcha'))
  const captchas = answers.map((answer) => expectSuccess(t, answer))
  t.equal(new Set(captchas.map(({ image }) => image)).size, 30)
  for (const { codeKey, code } of captchas) {
    t.match(JSON.parse((await server.app.store.get(captchaEntry(codeKey))) ?? '{}'), { answer: code })
  }
})

test('when the thread that draws ends, those who wait are told, and the next ones are served', async (t) => {
  let isBroken = true
  // What is no text cannot be drawn.
  const pictures = createPictures(() => (isBroken ? (undefined as unknown as string) : 'ACDF'))
  t.teardown(() => pictures.close())
  await t.rejects(pictures.take(), /is not iterable/)
  isBroken = false
  t.match(await pictures.take(), { text: 'ACDF', image: /^iVBORw0KGgo/ })
})

test('only so many wait for a picture; the others are told to come back', async (t) => {
  const pictures = createPictures(() => 'ACDF')
  t.teardown(() => pictures.close())
  const outcomes = await Promise.allSettled(Array.from({ length: 205 }, () => pictures.take()))
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  t.equal(refused.length, 5)
  for (const { reason } of refused as PromiseRejectedResult[]) t.match(reason, { code: 'unavailable' })
  t.match(await pictures.take(), { text: 'ACDF' })
})
