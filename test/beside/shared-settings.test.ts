import { join } from 'node:path'
import { test, type Test } from 'tap'
import { databaseUrlOf, isOnPostgres } from '../helpers/databases/database.js'
import { startServer, type ServerOptions, type TestServer } from '../helpers/service/server.js'

/** Another server on the database of `first`, with its secret and a configuration of its own. */
const startBeside = (
  t: Test,
  { directory: data }: TestServer,
  settings: ServerOptions['settings'] = {},
  more: Pick<ServerOptions, 'time'> = {},
) =>
  startServer(t, {
    hasRealHashes: true,
    data,
    settings,
    environment: { DATABASE_URL: isOnPostgres ? databaseUrlOf(data) : `sqlite:${join(data, 'rollcall.db')}` },
    ...more,
  })

const told = (server: TestServer): { level: number; msg: string; settings: string[] }[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('on this database has other values'))
    .map((line) => JSON.parse(line))

const rows: [settings: NonNullable<ServerOptions['settings']>, names: string[]][] = [
  [{ issuer: 'https://other.example.com' }, ['issuer', 'passkeys.rpId']],
  [{ audience: 'others' }, ['audience']],
  [{ clients: { app: { idleTtl: 4242 } } }, ['clients']],
  [{ passwords: { memoryKiB: 19_457 } }, ['passwords.memoryKiB']],
  [{ publicUrl: 'https://id.example.com' }, ['passkeys.rpId']],
  [{ issuer: 'other', passwords: { passes: 3 } }, ['issuer', 'passwords.passes']],
]
for (const [settings, names] of rows) {
  test(`a second server with other ${names.join(' and ')} says so once, at its start`, async (t) => {
    const first = await startServer(t, { hasRealHashes: true })
    const second = await startBeside(t, first, settings)
    t.strictSame(
      told(second).map((line) => ({ level: line.level, settings: line.settings })),
      [{ level: 40, settings: names }],
    )
    t.notMatch(told(second)[0]?.msg, /4242|19457|other\.example/, 'names, no values')
    t.strictSame(told(first), [])
    await second.signIn()
    t.equal(told(second).length, 1, 'once')
  })
}

test('a second server with the same settings, or with others that need not be shared, says nothing', async (t) => {
  const first = await startServer(t, { hasRealHashes: true })
  t.strictSame(told(await startBeside(t, first)), [])
  t.strictSame(told(await startBeside(t, first, { serviceName: 'Elsewhere', loginLog: { keepDays: 3 } })), [])
})

test('other settings after the only server has ended are no reason to say anything', async (t) => {
  const first = await startServer(t, { hasRealHashes: true })
  await first.app.close()
  t.strictSame(told(await startBeside(t, first, { issuer: 'changed' })), [])
})

test('what a killed server left is forgotten after 150 seconds', async (t) => {
  const first = await startServer(t, { hasRealHashes: true })
  await first.app.databaseStore.set(
    'settings-in-use',
    JSON.stringify({ id: 'killed', shared: { issuer: 'old' } }),
    150_000,
  )
  t.equal(told(await startBeside(t, first)).length, 1)
  t.strictSame(told(await startBeside(t, first, {}, { time: first.clock.now() + 150_001 })), [])
})
