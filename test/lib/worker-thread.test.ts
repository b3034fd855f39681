import { mock } from 'node:test'
import { test } from 'tap'
import { createWorkerThread } from '../../lib/worker-thread.js'

const program = `
  import { parentPort, threadId } from 'node:worker_threads'
  parentPort.on('message', (message) => {
    if (message === 'throw') throw new Error('it does not work')
    if (message === 'exit') process.exit(3)
    parentPort.postMessage(threadId)
  })`
const module = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
const idleTime = 10_000

test('a thread without questions is ended, and the next question starts another one', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const thread = createWorkerThread<number>(module, { idleTime })
  t.teardown(() => thread.close())
  const first = await thread.ask('who')
  mock.timers.tick(idleTime - 1)
  t.equal(await thread.ask('who'), first, 'it is the same until the time is over')
  mock.timers.tick(idleTime - 1)
  t.equal(await thread.ask('who'), first, 'a question begins the time anew')
  mock.timers.tick(idleTime)
  t.not(await thread.ask('who'), first)
})

test('without a time it ends after half a minute', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const thread = createWorkerThread<number>(module)
  t.teardown(() => thread.close())
  const first = await thread.ask('who')
  mock.timers.tick(29_999)
  t.equal(await thread.ask('who'), first)
  mock.timers.tick(30_000)
  t.not(await thread.ask('who'), first)
})

test('a question that the thread does not answer is rejected, and the next one is answered', async (t) => {
  const thread = createWorkerThread<number>(module, { idleTime })
  t.teardown(() => thread.close())
  const first = await thread.ask('who')
  await t.rejects(thread.ask('throw'), { message: 'it does not work' })
  const second = await thread.ask('who')
  t.not(second, first)
  await t.rejects(thread.ask('exit'), { message: 'The worker thread has ended' })
  t.not(await thread.ask('who'), second)
})

test('closing rejects the question that is being answered', async (t) => {
  const thread = createWorkerThread<number>(module, { idleTime })
  const answer = t.rejects(thread.ask('who'), { message: 'The worker thread has ended' })
  await thread.close()
  await answer
})
