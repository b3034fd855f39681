import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { databaseContent, startChild } from '../helpers/child.js'
import { createCli } from '../helpers/cli.js'
import { userPassword } from '../helpers/passwords.js'
import { startProcess } from '../helpers/process.js'

const someHash = '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'

test('100,000 rows go in within bounded memory, while people sign in', async (t) => {
  const cli = await createCli(t)
  const server = await startProcess(t, { directory: cli.directory })
  await cli.done('user add --username alice --no-force-change --password-stdin', { input: userPassword })
  const people = Array.from({ length: 100_000 }, (_, index) => {
    const number = String(index).padStart(7, '0')
    return [`user${index}`, `"张, ${index}"`, `1380${number}`, `u${index}@example.com`, 'admin', someHash]
  })
  const file = join(cli.directory, 'users.csv')
  const header = ['username', 'realName', 'phone', 'email', 'roles', 'passwordHash']
  writeFileSync(file, [header, ...people].map((row) => row.join(',')).join('\n'))
  let isRunning = true
  const environment = { NODE_OPTIONS: '--max-old-space-size=96' }
  const running = startChild(t, 'cli/main.js', ['user', 'import', file], {
    directory: cli.directory,
    environment,
  }).ended.finally(() => (isRunning = false))
  const statuses: number[] = []
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- ended by the import
  while (isRunning) statuses.push((await server.signIn('alice', userPassword)).status)
  const { code, stdout, stderr } = await running
  t.equal(code, 0, stderr)
  t.equal(stdout, 'Added 100,000 users, refused 0 rows.\n')
  t.same([...new Set(statuses)], [200], `${statuses.length} sign-ins during the import`)
  t.equal(databaseContent(cli.directory)['users']?.length, 100_002)
})
