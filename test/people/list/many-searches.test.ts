import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { attackList } from '../../helpers/load/list-attack.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { createRandom } from '../../helpers/values/random.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, signInAs } from '../../helpers/service/users.js'

const permissions = ['system:user:*']
/** Milliseconds that another reader's new search may take. */
const longestSearch = 2000

test('whoever asks for 210 orders and hangs up keeps nobody from a new search', async (t) => {
  const server = await startServer(t, {
    environment: { RATE_LIMITS: 'on' },
    settings: { rateLimits: { list: 10_000 } },
  })
  await insertManyUsers(server.directory, 50_000)
  const attacker = await signInAs(server, 'attacker', { permissions })
  const reader = await signInAs(server, 'reader', { permissions })
  // The first answer takes longer: the test compiles the schema that it must fit.
  expectSuccess(t, await askPage(server, reader))
  const random = createRandom(1)
  for (const keyword of ['77', '88', '99']) {
    await attackList(server, attacker, random, { count: 210, waits: false })
    const start = performance.now()
    const { total } = expectSuccess(t, await askPage(server, reader, { keyword }))
    const time = performance.now() - start
    t.ok(total > 1000)
    t.ok(time < longestSearch, `${time.toFixed(0)} ms`)
    // Closed connections have left the queue: the attacker has places again.
    expectSuccess(t, await askPage(server, attacker, { keyword }))
  }
})
