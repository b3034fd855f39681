import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { databaseContent, startChild } from '../helpers/processes/child.js'
import { createCli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'

const someHash = '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'

/** How much longer a sign-in may take while users are written than while the same file is only read. Milliseconds. */
const maxDelay = 500

for (const option of [[], ['--atomic']]) {
  const command = ['user import', ...option].join(' ')
  test(`${command}: 100,000 rows within bounded memory, and nobody waits long to sign in`, async (t) => {
    const cli = await createCli(t)
    const { directory } = cli
    const server = await startProcess(t, { directory })
    await cli.done('user add --username alice --no-force-change --password-stdin', { input: userPassword })
    // The first sign-ins of a new server take longer, with and without an import.
    for (let count = 0; count < 20; count++) await server.signIn('alice', userPassword)
    const people = Array.from({ length: 100_000 }, (_, index) => {
      const number = String(index).padStart(7, '0')
      return [`user${index}`, `"张, ${index}"`, `1380${number}`, `u${index}@example.com`, 'admin', someHash]
    })
    const file = join(directory, 'users.csv')
    const header = ['username', 'realName', 'phone', 'email', 'roles', 'passwordHash']
    writeFileSync(file, [header, ...people].map((row) => row.join(',')).join('\n'))

    /** Runs the command, with sign-ins beside it; resolves to what it printed and how long the longest sign-in took. */
    const importBeside = async (options: string[]) => {
      let isRunning = true
      const environment = { NODE_OPTIONS: '--max-old-space-size=96' }
      const args = ['user', 'import', file, ...options]
      const running = startChild(t, 'cli/main.js', args, { directory, environment })
      const ended = running.ended.finally(() => (isRunning = false))
      const waits: number[] = []
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- ended by the import
      while (isRunning) {
        const start = performance.now()
        t.equal((await server.signIn('alice', userPassword)).status, 200)
        waits.push(performance.now() - start)
      }
      const { code, stdout, stderr } = await ended
      t.equal(code, 0, stderr)
      return { stdout, longest: Math.max(...waits) }
    }

    const read = await importBeside(['--dry-run'])
    t.equal(read.stdout, 'Would add 100,000 users and refuse 0 rows.\n')
    t.equal(databaseContent(directory)['users']?.length, 2)
    const written = await importBeside(option)
    t.equal(written.stdout, 'Added 100,000 users, refused 0 rows.\n')
    t.equal(databaseContent(directory)['users']?.length, 100_002)
    const [longest, usual] = [written.longest, read.longest].map(Math.round)
    t.ok(
      written.longest < read.longest + maxDelay,
      `the longest sign-in took ${longest} ms, beside --dry-run ${usual} ms`,
    )
  })
}
