import { test } from 'tap'
import type { Answer } from '../helpers/service/server.js'
import { rows, setupRows, setupSettings } from './ticket-rows.js'
import { startTicketServer, type Change } from './ticket-world.js'

const outcomeOf = ({ status, body }: Answer): unknown => (status === 200 ? 'success' : body.data.reason)

const groups = [
  { rows, secondFactor: {} },
  { rows: setupRows, secondFactor: setupSettings },
]

test('whatever is given for a later request is void when what it was given for has changed, and is good once', async (t) => {
  for (const group of groups) {
    const { openWorld } = await startTicketServer(t, group.secondFactor)
    for (const { name, give, used, after } of group.rows) {
      await t.test(name, async (t) => {
        const first = await openWorld(t)
        const use = await give(first)
        t.equal((await use(first)).status, 200, 'it is good')
        const again = await use(first)
        if (used === undefined) t.equal(again.status, 200, 'it is good again')
        else t.equal(outcomeOf(again), used, 'it is good once')
        for (const [change, reason] of Object.entries(after)) {
          const world = await openWorld(t)
          const use = await give(world)
          await world.change(change as Change)
          const answer = await use(world)
          t.equal(outcomeOf(answer), reason, `${change}: ${answer.text.slice(0, 200)}`)
          t.notMatch(answer.text, /accessToken|recoveryCodes/, change)
        }
      })
    }
  }
})
