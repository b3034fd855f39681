import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { runSql } from './postgres.js'
import { eventually } from './process.js'
import { freePort } from './free-port.js'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))

/** Why a test does not run without PgBouncer; false where it is. */
export const skipped = program === undefined ? 'there is no pgbouncer here (package pgbouncer)' : false

/** It refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []

/** Starts a PgBouncer in front of the database at `url`, which ends with the test; resolves to the URL through it. */
export const startPgBouncer = async (
  t: Test,
  url: string,
  settings: Record<string, string | number>,
): Promise<string> => {
  const { hostname, port: serverPort, username, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-pgbouncer-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  const name = pathname.slice(1)
  const file = join(folder, 'pgbouncer.ini')
  const database = `${name} = host=${hostname} port=${serverPort || 5432} dbname=${name} user=${username}`
  writeFileSync(file, `[databases]\n${database}\n[pgbouncer]\n${lines.join('\n')}\n`)
  const [command, ...parameters] = [...unprivileged, program ?? '', file]
  const child = spawn(command, parameters, { stdio: 'ignore' })
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const through = new URL(url)
  through.port = String(port)
  await eventually('PgBouncer to answer', () =>
    runSql(through.href, 'select 1').then(
      () => true,
      () => undefined,
    ),
  )
  return through.href
}
