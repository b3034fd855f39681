import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { borrowMigrated } from '../../contract/engines.js'
import { isOnPostgres } from '../databases/database.js'
import { adminPassword } from '../service/passwords.js'
import { importFile } from '../service/upload.js'
import { emptyDirectory } from './child.js'
import { eventually, startProcess } from './process.js'

/** Resident memory of a process in MiB: now, or at its highest. Linux only. */
export const memoryOf = (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024

/** Prints how long the event loop was held at most, in milliseconds, at each SIGWINCH. */
const monitor = `data:text/javascript,${encodeURIComponent(`
  import { monitorEventLoopDelay } from 'node:perf_hooks'
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('SIGWINCH', () => { process.stdout.write('held ' + delay.max / 1e6 + ' ' + delay.percentile(99) / 1e6 + ' ms\\n'); delay.reset() })`)}`

/** In a process of its own: the test runner follows every promise, which takes time and memory. */
export const startWatched = async (t: Test) => {
  const environment = {
    // With a smaller heap V8 collects garbage earlier, so that what is measured is what is needed.
    NODE_OPTIONS: `--max-semi-space-size=4 --max-old-space-size=96 --import=${monitor}`,
    ROLLCALL_ADMIN_PASSWORD: adminPassword,
    ...(isOnPostgres ? { DATABASE_URL: await borrowMigrated(t) } : {}),
  }
  const server = await startProcess(t, { directory: emptyDirectory(t), environment })
  const { pid = 0 } = server.child
  const { accessToken: token } = (await server.signIn('admin', adminPassword)).body.data
  return {
    pid,
    importFile: (content: Buffer) => importFile(server, token, content),
    /** The 99th percentile of the holds of the event loop since the call before, in milliseconds. */
    held: async (): Promise<number> => {
      const { length } = server.output.stdout
      server.child.kill('SIGWINCH')
      const line = await eventually('the monitor', () => /held (.*) ms\n/.exec(server.output.stdout.slice(length))?.[1])
      t.comment(`held: ${line}`)
      return Number(line.split(' ')[1])
    },
  }
}
