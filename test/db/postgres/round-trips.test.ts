import { test, type Test } from 'tap'
import { createPostgres, isPostgresThere, skipped } from '../../helpers/databases/postgres.js'
import { countRoundTrips } from '../../helpers/databases/round-trips.js'
import { addApiToken } from '../../helpers/service/api-tokens.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { firstStep } from '../../helpers/service/factors.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage } from '../../helpers/service/users.js'

const skip = (await isPostgresThere()) ? false : skipped

const start = async (t: Test) => {
  const url = await createPostgres(t)
  const { port } = new URL(url)
  const trips = await countRoundTrips(t, Number(port))
  const server = await startServer(t, {
    environment: { DATABASE_URL: url.replace(`:${port}/`, `:${trips.port}/`) },
    settings: { captcha: { mode: 'never' }, lockout: { nameFailures: 50, nameFailuresAnywhere: 50 } },
  })
  const { id } = await server.addUser('alice')
  server.clock.advance(1)
  const { accessToken: admin } = await server.signIn()
  return { server, id, admin, trips }
}

/** What a request waits for at most. A number that is smaller now may be written here. */
const limits = {
  signIn: 7,
  wrongPassword: 6,
  refresh: 4,
  search: 3,
  change: 8,
  check: 1,
  apiToken: 1,
  knownPage: 1,
  newPage: 2,
}

test('what a request waits for is asked in few round trips', { skip }, async (t) => {
  const { server, id, admin: token, trips } = await start(t)
  const signIn = async () => expectSuccess(t, await firstStep(server, 'alice')).accessToken as string
  const wrong = async () =>
    expectProblem(
      t,
      await firstStep(server, 'alice', { json: { password: 'wrong horse battery' } }),
      'invalid_credentials',
    )
  let { accessToken: own } = await server.signIn()
  const refresh = async () => {
    const answer = await server.call('POST', '/auth/refreshToken', { token: own })
    own = expectSuccess(t, answer).accessToken as string
  }
  let names = 0
  const search = async () => expectSuccess(t, await askPage(server, token, { keyword: `nobody${names++}` }))
  let remarks = 0
  const change = async () =>
    expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { token, json: { remark: `${remarks++}` } }))
  const check = async () => expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  const { token: ofJob } = await addApiToken(server.app.db, server.clock, { id, tenantId: 1 })
  const apiToken = async () => expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: ofJob }))
  const knownPage = async () => expectSuccess(t, await askPage(server, token, {}))
  let sizes = 10
  const newPage = async () => expectSuccess(t, await askPage(server, token, { pageSize: ++sizes }))
  for (const [name, work] of Object.entries({
    signIn,
    wrongPassword: wrong,
    refresh,
    search,
    change,
    check,
    apiToken,
    knownPage,
    newPage,
  })) {
    // Connections are opened, statements prepared, lists built.
    for (let time = 0; time < 3; time++) await work()
    const counted: string[][][] = []
    for (let time = 0; time < 3; time++) counted.push(await trips.of(work))
    const [fewest = []] = counted.sort((one, other) => one.length - other.length)
    const most = limits[name as keyof typeof limits]
    t.ok(fewest.length <= most, `${name}: ${fewest.length} round trips, at most ${most}`, { fewest })
    t.ok(fewest.length > 0, `${name} is seen`)
  }
})
