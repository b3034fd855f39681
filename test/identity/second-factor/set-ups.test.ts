import { test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt } from '../../helpers/service/factors.js'
import { startServer } from '../../helpers/service/server.js'

test('four set-ups of an app are open in a session, and a fifth takes the place of the first', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const begin = async () =>
    expectSuccess<{ key: string; secret: string }>(
      t,
      await server.call('POST', '/auth/factors/totp', { token, json: {} }),
    )
  const confirm = ({ key, secret }: { key: string; secret: string }) =>
    server.call('POST', '/auth/factors/totp/confirm', {
      token,
      json: { key, code: codeAt(secret, server.clock.now()) },
    })

  const begun = []
  for (let count = 0; count < 5; count++) begun.push(await begin())
  const [first, second] = begun
  if (!first || !second) throw new Error('There are five')
  expectProblem(t, await confirm(first), 'invalid_grant')
  expectProblem(t, await confirm({ ...second, key: `${second.key.slice(0, 1)}other` }), 'invalid_grant')
  expectSuccess(t, await confirm(second))
  expectProblem(t, await confirm(second), 'invalid_grant')

  for (let count = 0; count < 40; count++) await begin()
  if (process.env['ROLLCALL_TEST_STORE'] === 'redis') return
  const database = await connect(server.directory)
  const rows = await database.all("select key from store where key like 'factor:enrol:%'")
  await database.close()
  // Those of before the confirmed factor are void, and end by themselves.
  t.ok(rows.length <= 2 * 4, `${rows.length} rows`)
})
