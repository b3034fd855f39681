import { test } from 'tap'
import { databaseBytes } from '../helpers/databases/database.js'
import { everythingIn } from '../helpers/databases/redis.js'
import type { CallOptions } from '../helpers/service/server.js'
import { collectSecrets } from './secret-collector.js'
import { rows, setupRows, setupSettings } from './ticket-rows.js'
import { startTicketServer } from './ticket-world.js'

const groups = [
  { rows, secondFactor: {} },
  { rows: setupRows, secondFactor: setupSettings },
]

test('who reads the database and the store finds no ticket, key, code, token or cookie that is good', async (t) => {
  for (const { rows, secondFactor } of groups) {
    const { openWorld, server } = await startTicketServer(t, secondFactor)
    const { directory, settings } = server.app.installation
    const { call, keep, secrets, leaksIn } = collectSecrets({ call: server.call, log: server.log })
    Object.assign(server, {
      async call(method: string, path: string, options?: CallOptions) {
        const answer = await call(method, path, options)
        // What a set-up goes on with; `key` is an ordinary word elsewhere.
        if (path.startsWith('/auth/factors')) keep(answer.body.data?.key ?? '', `the key of ${path}`)
        return answer
      },
    })
    for (const { name, give } of rows) {
      const before = secrets.size
      await give(await openWorld(t))
      t.ok(secrets.size > before, `${name} is known`)
      const stored = (await databaseBytes(directory)).toString('latin1')
      t.same(leaksIn(stored), [], `the database holds nothing of: ${name}`)
      if (settings.redisUrl)
        t.same(leaksIn(await everythingIn(settings.redisUrl)), [], `Redis holds nothing of: ${name}`)
    }
    t.comment(`${secrets.size} secrets`)
  }
})
