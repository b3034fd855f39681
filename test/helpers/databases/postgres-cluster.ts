import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../processes/free-port.js'

const run = promisify(execFile)

/** What the tests need of tap: to end what they started. */
interface Ending {
  teardown: (end: () => unknown) => void
}

const programs = globSync('/usr/lib/postgresql/*/bin/initdb').map(dirname).toSorted().at(-1)

/** Why a test does not run without the programs of PostgreSQL; false where they are. */
export const skipped = programs === undefined ? 'there is no initdb here (package postgresql)' : false

/** initdb refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
const runUnprivileged = async (...command: string[]): Promise<string> => {
  const [program = '', ...parameters] = [...unprivileged, ...command]
  return (await run(program, parameters, { cwd: '/' })).stdout.trim()
}

/** A folder that holds `size` MiB at most; undefined where this process may not mount one. */
export const smallFolder = async (t: Ending, size: number): Promise<string | undefined> => {
  const folder = await runUnprivileged('mktemp', '-d', '/tmp/rollcall-small-XXXXXXXX')
  t.teardown(() => run('rmdir', [folder]))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=777`, 'tmpfs', folder])
  } catch {
    return undefined
  }
  t.teardown(() => run('umount', [folder]))
  return folder
}

/** Starts a PostgreSQL of its own with an empty database `rollcall`, which ends with the test. */
export const startCluster = async (t: Ending, settings: Record<string, string | number> = {}, within = '/tmp') => {
  const folder = await runUnprivileged('mktemp', '-d', join(within, 'rollcall-postgres-XXXXXXXX'))
  const [data, port] = [join(folder, 'cluster'), await freePort()]
  const control = (...parameters: string[]) =>
    runUnprivileged(join(programs ?? '', 'pg_ctl'), '-D', data, '-l', join(folder, 'log'), '-w', ...parameters)
  const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, ...settings }
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
  const cluster = {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/rollcall`,
    start: () => control('-o', options.join(' '), 'start'),
    /** A server that cannot write its log ends, or is just being restarted by itself. */
    async ensureRunning() {
      await control('status').catch(() => cluster.start())
    },
    stop: (mode: 'fast' | 'immediate' = 'fast') => control('-m', mode, 'stop'),
    /** Kills a process of the server without a word, as the kernel does when memory is short. */
    kill: (pid: number) => runUnprivileged('kill', '-9', String(pid)),
  }
  t.teardown(async () => {
    await cluster.stop('immediate').catch(() => undefined)
    await runUnprivileged('rm', '-rf', folder)
  })
  const initial = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N', '--wal-segsize=1']
  await runUnprivileged(join(programs ?? '', 'initdb'), '-D', data, ...initial)
  await cluster.start()
  await runUnprivileged(
    join(programs ?? '', 'createdb'),
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-U',
    'postgres',
    'rollcall',
  )
  return cluster
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>
