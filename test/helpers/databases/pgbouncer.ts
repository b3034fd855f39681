import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { runSql } from './postgres.js'
import { eventually } from '../processes/process.js'
import { freePort } from '../processes/free-port.js'

const program = [process.env['ROLLCALL_TEST_PGBOUNCER'] ?? '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) =>
  existsSync(path),
)

/** Why a test does not run without PgBouncer; false where it is. */
export const skipped = program === undefined ? 'there is no pgbouncer here (package pgbouncer)' : false

const version = program === undefined ? '' : spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout
const [, major = 0, minor = 0] = /^PgBouncer (\d+)\.(\d+)/.exec(version) ?? []

const keepsStatements = Number(major) * 1000 + Number(minor) >= 1021

/** The same without one that can keep prepared statements in transaction mode. */
export const skippedBefore121 =
  skipped || keepsStatements
    ? skipped
    : 'this is not PgBouncer 1.21 or newer (ROLLCALL_TEST_PGBOUNCER names another program)'

/** The settings with which it keeps none. */
export const forgetful: Record<string, number> = keepsStatements ? { max_prepared_statements: 0 } : {}

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
