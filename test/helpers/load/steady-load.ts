import { setTimeout } from 'node:timers/promises'
import { userPassword } from '../service/passwords.js'
import type { Answer, TestServer } from '../service/server.js'

/** Users added in this process: each has another name. */
let count = 0

/** Milliseconds between an answer and the next request of the same kind. */
const pause = 5

/**
 * Sends requests of each kind until it is told to stop, and keeps the answers: token checks, pages, sign-ins of `alice`, and new
 * users. `token` is of an administrator.
 */
export const createSteadyLoad = ({ call }: Pick<TestServer, 'call'>, token: string) => {
  /** In the order in which they came; times are milliseconds. */
  const answers: { what: string; answer: Answer; time: number }[] = []
  /** Names of the users whose addition was answered 200. */
  const added: string[] = []
  let isOver = false
  const send = async (what: string, ask: () => Promise<Answer>) => {
    const begin = performance.now()
    const answer = await ask()
    answers.push({ what, answer, time: performance.now() - begin })
    return answer
  }
  const repeat = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work()
      await setTimeout(pause)
    }
  }
  const loops = [
    repeat(() => send('token', () => call('GET', '/auth/userInfo', { token }))),
    repeat(() => send('list', () => call('GET', '/system/user/page', { token }))),
    repeat(() =>
      send('sign-in', () =>
        call('POST', '/auth/login', { json: { username: 'alice', password: userPassword, userClient: 'app' } }),
      ),
    ),
    ...[1, 2].map((loop) =>
      repeat(async () => {
        const username = `added-${loop}-${++count}`
        const json = { username, realName: username, password: userPassword }
        const answer = await send('add', () => call('POST', '/system/user', { token, json }))
        if (answer.status === 200) added.push(username)
      }),
    ),
  ]
  return {
    answers,
    added,
    async stop() {
      isOver = true
      await Promise.all(loops)
    },
  }
}
