import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { installedDirectory } from '../helpers/child.js'
import { eventually, startProcess, type ServerProcess } from '../helpers/process.js'

/** Resident memory, MiB. */
const residentMemory = ({ child }: ServerProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

const released = ({ logLines }: ServerProcess) => logLines().filter(({ msg }) => msg === 'unused memory released')

test(
  'a server that nobody asks any more gives memory back, once',
  { skip: process.platform === 'linux' ? false : 'reads /proc' },
  async (t) => {
    const environment = { LOG_LEVEL: 'debug' }
    const server = await startProcess(t, { directory: await installedDirectory(t), environment })
    const ask = async (seconds: number) => {
      for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
        await Promise.all(Array.from({ length: 20 }, () => server.call('GET', '/openapi.json')))
      }
    }
    await ask(12)
    t.strictSame(released(server), [], 'not while requests come')
    const before = residentMemory(server)
    const [line] = await eventually('the release', () => (released(server).length > 0 ? released(server) : undefined))
    const after = residentMemory(server)
    t.comment(`${before.toFixed(1)} to ${after.toFixed(1)} MiB in ${line?.['milliseconds']} ms`)
    t.ok(after < before - 5, `${before} to ${after} MiB`)
    await ask(0.2)
    // Two more looks.
    await new Promise((resolve) => setTimeout(resolve, 21_000))
    t.equal(released(server).length, 1, 'a few requests change nothing')
    t.equal((await server.call('GET', '/health/ready')).status, 200)
  },
)
