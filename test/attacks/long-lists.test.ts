import { test } from 'tap'
import { onSqliteOnly } from '../helpers/databases/database.js'
import { watchEventLoop } from '../helpers/load/event-loop.js'
import { expectSuccess } from '../helpers/service/expect.js'
import { insertAuditRows, insertRoles, insertSessions } from '../helpers/databases/many-rows.js'
import { startServer } from '../helpers/service/server.js'
import { signInAs } from '../helpers/service/users.js'
import { keepAsking, longestWait, waitingTime } from '../helpers/load/waiting.js'

/** Milliseconds. */
const maxHold = 12
/** Other programs share the machine: the best of so many runs. */
const tries = 10

const roles = 12_500
const sessions = 50_000

const lists: [path: string, query: string, total: number][] = [
  ['/system/audit/page', 'actorName=zzzz', 0],
  ['/system/role/page', 'orderByColumn=name,createTime&isAsc=desc,asc&pageNum=1000', roles],
  ['/system/role/page', 'roleName=zzzz', 0],
  ['/system/session/page', `pageNum=${sessions / 10}`, sessions],
]

test('long lists are read in short steps', { ...onSqliteOnly, timeout: 240_000 }, async (t) => {
  const server = await startServer(t)
  const { directory, clock } = server
  const permissions = ['system:audit:list', 'system:role:list', 'system:session:list']
  const attacker = await signInAs(server, 'attacker', { permissions })
  const other = await signInAs(server, 'other')
  const { id } = await server.addUser('alice')
  await insertAuditRows(directory, 100_000, clock.now())
  await insertRoles(directory, roles, clock.now())
  await insertSessions(directory, sessions, id, clock.now())

  for (const [path, query, least] of lists) {
    let shortest = Infinity
    for (let time = 0; time < tries && shortest > maxHold; time++) {
      const hold = watchEventLoop()
      const { total } = expectSuccess(t, await server.call('GET', path, { token: attacker, query }))
      shortest = Math.min(shortest, hold())
      t.ok(total >= least && total < least + 10, `${path}?${query}: ${total}`)
    }
    t.ok(shortest <= maxHold, `${path}?${query} holds the event loop for ${shortest.toFixed(1)} ms`)
  }

  const idle = await waitingTime(server, other)
  for (const [path, query] of lists) {
    const end = keepAsking(server, attacker, `${path}?${query}`, 20)
    const wait = await waitingTime(server, other)
    await end()
    const told = `${path}?${query}: others wait ${wait.toFixed(1)} ms, ${idle.toFixed(1)} without the attack`
    t.ok(wait <= longestWait(idle), told)
  }
})
