import { test, type Test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { attackList } from '../../helpers/load/list-attack.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { createRandom } from '../../helpers/values/random.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, signInAs } from '../../helpers/service/users.js'

const permissions = ['system:user:*']
/** Milliseconds that another reader's new search may take. */
const longestSearch = 2000
/** On a machine that does much else, where the same search takes long without an attack: so many times as long. */
const longestRatio = 4
const searches = 10

test('among 300,000 users, whoever asks for 210 orders at once delays no other reader', async (t) => {
  const server = await startServer(t, { environment: { RATE_LIMITS: 'on' } })
  await insertManyUsers(server.directory, 300_000)
  const attacker = await signInAs(server, 'attacker', { permissions })
  const reader = await signInAs(server, 'reader', { permissions })
  const random = createRandom(1)
  let search = 1000
  const timeSearch = async (t: Test) => {
    const start = performance.now()
    expectSuccess(t, await askPage(server, reader, { keyword: `user${search++}` }))
    return performance.now() - start
  }
  await timeSearch(t)
  for (const waits of [false, true]) {
    await t.test(waits ? 'and waits for the answers' : 'and hangs up', async (t) => {
      for (let count = 0; count < searches; count++) {
        const alone = await timeSearch(t)
        const attacked = attackList(server, attacker, random, { count: 210, waits })
        // The searches begin at different moments of the attack.
        if (count % 2 === 0 && !waits) await attacked
        const time = await timeSearch(t)
        const limit = Math.max(longestSearch, longestRatio * alone)
        t.ok(time < limit, `${time.toFixed(0)} ms, without an attack ${alone.toFixed(0)} ms`)
        await attacked
        server.clock.advance(60)
      }
    })
  }
})
