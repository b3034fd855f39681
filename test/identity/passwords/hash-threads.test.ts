import { hashSync } from '@node-rs/bcrypt'
import { test } from 'tap'
import { createHashThreads } from '../../../plugins/identity/passwords/hash-threads.js'

test('hashes that a thread returns together are handled in different iterations of the event loop', async (t) => {
  const refusal = () => new Error('refused')
  const threads = createHashThreads({ queueLength: 1000, maxWait: 60_000, refusal })
  t.teardown(() => threads.close())
  const stored = hashSync('right', 4)
  const passwords = Array.from({ length: 16 * threads.capacity }, (_, index) => (index % 2 ? 'right' : 'wrong'))
  /** How many are handled in each iteration. */
  const handle = async (): Promise<number[]> => {
    let iteration = 0
    let isCounting = true
    const count = () => {
      iteration++
      if (isCounting) setImmediate(count)
    }
    count()
    const handled = new Map<number, number>()
    const verify = async (password: string) => {
      const isRight = await threads.run({ group: 'known', fairnessKey: 'one' }, 'bcrypt', password, stored)
      handled.set(iteration, (handled.get(iteration) ?? 0) + 1)
      return isRight
    }
    const results = await Promise.all(passwords.map(verify))
    isCounting = false
    t.same(
      results,
      passwords.map((password) => password === 'right'),
    )
    return [...handled.values()]
  }
  // Several threads may answer in the same iteration, and on a busy machine more than one answer of each waits for it: seldom three times.
  const times = [await handle(), await handle(), await handle()]
  t.ok(Math.min(...times.map((one) => Math.max(...one))) <= threads.capacity, times.join(' | '))
})
