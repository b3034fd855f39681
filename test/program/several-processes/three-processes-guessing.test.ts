import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import { test, type Test } from 'tap'
import rollcall, { type RollcallOptions } from '../../../app.js'
import { canStartRedis, skipped, startRedis } from '../../helpers/databases/redis.js'
import { bodyOf, startMailServer } from '../../helpers/peers/mail-server.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { startClocked } from '../../helpers/processes/clocked-processes.js'
import { eventually } from '../../helpers/processes/process.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep } from '../../helpers/service/factors.js'
import { createGuessing, longPause } from '../../helpers/service/guessing.js'
import { createOperator } from '../../helpers/service/operator.js'
import { userPassword } from '../../helpers/service/passwords.js'
import { openData, prepareData, type Plain } from '../../helpers/service/prepared-data.js'
import { merge, type CallOptions } from '../../helpers/service/server.js'
import { createClock } from '../../helpers/values/clock.js'
import { parallel, tally } from '../../helpers/values/compare.js'

/** Three servers, each a process of its own, of which each request reaches another one, and `alice`, who has an app. */
const start = async (t: Test, store: Plain) => {
  const clock = createClock()
  const directory = emptyDirectory(t)
  await prepareData(t, directory, {})
  const mailServer = await startMailServer(t)
  const file = join(directory, 'config.json')
  const settings = { ...store, mail: { url: mailServer.url }, clients: { pc: { maxSessions: 100 } } }
  writeFileSync(file, JSON.stringify(merge(JSON.parse(readFileSync(file, 'utf8')) as Plain, settings)))
  const servers = await startClocked(t, 3, directory, clock)
  const inner = Fastify({ pluginTimeout: 0 })
  t.teardown(() => inner.close())
  await inner.register(
    fp<RollcallOptions>((app, more) => rollcall(app, more)),
    { installation: openData({ DATA_DIR: directory }, {}), clock, answering: false },
  )
  await inner.ready()
  const operator = createOperator(inner)
  const account = { username: 'alice', password: userPassword, email: 'alice@example.com', forcePasswordChange: false }
  await operator.addUser(account)
  let [next, ahead, moving] = [0, 0, Promise.resolve()]
  const server = {
    clock: {
      now: () => clock.now() + ahead * 1000,
      /** Moves the clocks of all processes before the next request. */
      advance(seconds: number) {
        ahead += seconds
        moving = moving.then(() => {
          ahead -= seconds
          return servers.advance(seconds)
        })
      },
    },
    call: async (method: string, path: string, options?: CallOptions) => {
      await moving
      return servers.at(next++).call(method, path, options)
    },
  }
  const old = await firstStep(server, 'alice')
  const app = await enrol(t, server, expectSuccess(t, await firstStep(server, 'alice')).accessToken)
  const mailsWith = (text: RegExp) => mailServer.mails.filter(({ raw }) => text.test(bodyOf(raw))).length
  return { server, operator, app, old, mailsWith, ...createGuessing(server, app) }
}

const stores: Record<string, (t: Test) => Promise<Plain>> = {
  'the database': () => Promise.resolve({}),
  Redis: async (t) => ({ redisUrl: (await startRedis(t)).url }),
}

for (const [name, storeOf] of Object.entries(stores))
  test(`three processes with counters in ${name} count wrong codes of an account together, each known browser for itself`, async (t) => {
    if (name === 'Redis' && !(await canStartRedis())) {
      t.comment(skipped)
      return
    }
    const { server, operator, app, old, mailsWith, guess, wrong, right, answerWith, browserWithFactor } = await start(
      t,
      await storeOf(t),
    )
    const [one, two] = [await browserWithFactor(t), await browserWithFactor(t)]
    const counts = tally(await parallel(30, () => wrong(one)))
    t.strictSame(counts, { invalid_code: 10, too_many_attempts: 20 })
    expectSuccess(t, await right(two))
    await eventually('the mail', () => (mailsWith(/entered five wrong codes/) > 0 ? true : undefined))
    await guess(t, 96, { cookie: cookiesOf(old) })
    server.clock.advance(longPause)
    t.equal(tally(await parallel(30, () => wrong()))['invalid_code'], 4)
    server.clock.advance(longPause)
    expectProblem(t, await right(), 'totp_blocked')
    expectProblem(t, await right({ cookie: cookiesOf(old) }), 'totp_blocked')
    expectSuccess(t, await right(two))
    await eventually('the mail', () => (mailsWith(/entered a hundred wrong codes/) > 0 ? true : undefined))
    expectSuccess(t, await answerWith({ authType: 'recovery', code: app.recoveryCodes[0] ?? '' }))
    expectSuccess(t, await right())
    await guess(t, 10)
    expectProblem(t, await wrong(), 'too_many_attempts')
    await operator.unlock('alice')
    expectSuccess(t, await right())
    t.equal(mailsWith(/entered a hundred wrong codes/), 1)
  })
