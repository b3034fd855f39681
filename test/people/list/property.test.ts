import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { answerPlainly, randomQuery, randomUser, readRows } from '../../helpers/values/plain-list.js'
import { createRandom } from '../../helpers/values/random.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, insertUsers, signInAs } from '../../helpers/service/users.js'

test('random questions about random users are answered as by plain filtering, sorting and cutting', async (t) => {
  const random = createRandom(20260601)
  const server = await startServer(t)
  const { id: acme } = await server.operator.addTenant('Acme')
  await insertUsers(
    server,
    Array.from({ length: 160 }, (_, index) => randomUser(random, index)),
  )
  const callers: [token: string, tenant: number | undefined][] = [
    [(await server.signIn()).accessToken, undefined],
    [await signInAs(server, 'reader', { tenantId: acme, userType: 1, permissions: ['system:user:*'] }), acme],
  ]
  const rows = await readRows(server)
  let withRecords = 0
  for (let round = 0; round < 300; round++) {
    const query = randomQuery(random, rows)
    const [token, tenant] = random.pick(callers)
    const { records, ...echo } = expectSuccess(t, await askPage(server, token, query))
    const ids = records.map(({ id }: { id: number }) => id)
    t.same({ ids, ...echo }, answerPlainly(rows, query, tenant), `${tenant ?? 'all'}: ${JSON.stringify(query)}`)
    if (ids.length > 1) withRecords++
  }
  t.ok(withRecords > 75, `${withRecords} of the questions had an answer to sort`)
})
