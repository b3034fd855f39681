import PQueue from 'p-queue'
import { problem } from '../../../../lib/problem.js'
import { createWorkerThread } from '../../../../lib/worker-thread.js'
import type { Answer, Operations, Question } from './web-authn-thread.js'

/** Whoever uses passkeys uses them again soon, and each start of the thread takes a person's time. Milliseconds. */
const idleTime = 600_000
/** Ceremonies that may wait for their turn. One takes a few milliseconds. */
const maxWaiting = 200
/** Retry-After when the queue is full or the thread has failed, seconds. */
const retryAfter = 2

// One for all apps of a process. It is started by the first ceremony: most services never need it.
const thread = createWorkerThread<Answer>(new URL('web-authn-thread.js', import.meta.url), { idleTime })
const queue = new PQueue({ concurrency: 1 })

const ask = async (question: Question): Promise<Answer> => {
  if (queue.size >= maxWaiting) throw problem('unavailable', { retryAfter })
  try {
    return await queue.add(() => thread.ask(question))
  } catch (cause) {
    throw problem('unavailable', { retryAfter, cause })
  }
}

/**
 * Runs a function of the library on a thread, because to load its 25 packages takes a quarter of a second. Throws what the library throws,
 * and `unavailable` when the thread fails or too many wait.
 */
export const webAuthn = async <Name extends keyof Operations>(
  name: Name,
  argument: Parameters<Operations[Name]>[0],
): Promise<Awaited<ReturnType<Operations[Name]>>> => {
  const answer = await ask({ name, argument })
  if ('refusal' in answer) throw new Error(answer.refusal)
  return answer.result as Awaited<ReturnType<Operations[Name]>>
}
