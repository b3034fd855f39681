import type { Test } from 'tap'
import { installedDirectory, startChild } from '../processes/child.js'
import { createCli } from '../processes/cli.js'
import { adminPassword } from '../service/passwords.js'
import { runSql } from './postgres.js'

const password = 'a-secret-of-the-role'

/** Starts the service on the database at `url`, and asks `doctor`: both refuse it with `message`, in one line. */
export const expectRefused = async (t: Test, url: string, message: RegExp): Promise<void> => {
  const directory = await installedDirectory(t)
  const environment = { DATABASE_URL: url, PORT: '0', ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const { child, ended } = startChild(t, 'server.js', [], { directory, environment })
  child.stdout.on('data', (text: string) => text.includes('is ready') && child.kill())
  const { code, stdout, stderr } = await ended
  t.equal(code, 1)
  t.notMatch(stdout, 'is ready')
  t.match(stderr, message)
  t.match(stderr, /^The database postgres:\/\/\S+ cannot be opened: [^\n]+\n$/, 'one line')
  t.notMatch(stdout + stderr, password)
  const { run } = await createCli(t)
  const { findings } = JSON.parse((await run('doctor --json', { environment })).stdout) as { findings: any[] }
  t.match(
    findings.filter(({ check }) => check === 'database'),
    [{ level: 'fault', message }],
  )
}

/** A role without rights in `public`, as PostgreSQL 15 makes it; resolves to the URL with it. */
export const createRole = async (t: Test, url: string): Promise<URL> => {
  const role = `rollcall_role_${process.pid}_${Math.random().toString(36).slice(2)}`
  await runSql(url, `create role ${role} login password '${password}'`)
  t.teardown(() => runSql(url, `drop owned by ${role}`, `drop role ${role}`))
  const own = new URL(url)
  own.username = role
  own.password = password
  return own
}
