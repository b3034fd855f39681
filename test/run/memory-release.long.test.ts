import { test } from 'tap'
import { installedDirectory } from '../helpers/processes/child.js'
import { eventually, startProcess, type ServerProcess } from '../helpers/processes/process.js'
import { residentMemory } from '../helpers/processes/resident-memory.js'

const released = ({ logLines }: ServerProcess) => logLines().filter(({ msg }) => msg === 'unused memory released')

test(
  'a server that becomes idle releases memory, once',
  { skip: process.platform === 'linux' ? false : 'reads /proc' },
  async (t) => {
    const environment = { LOG_LEVEL: 'debug' }
    const server = await startProcess(t, { directory: await installedDirectory(t), environment })
    const memory = () => residentMemory(server.child.pid ?? 0)
    const ask = async (seconds: number) => {
      for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
        await Promise.all(Array.from({ length: 20 }, () => server.call('GET', '/openapi.json')))
      }
    }
    await ask(12)
    t.strictSame(released(server), [], 'not while requests come')
    const before = memory()
    const [line] = await eventually('the release', () => (released(server).length > 0 ? released(server) : undefined))
    const after = memory()
    t.comment(`${before.toFixed(1)} to ${after.toFixed(1)} MiB in ${line?.['milliseconds']} ms`)
    t.ok(after < before - 5, `${before} to ${after} MiB`)
    await ask(0.2)
    // Two more intervals.
    await new Promise((resolve) => setTimeout(resolve, 21_000))
    t.equal(released(server).length, 1, 'a few requests change nothing')
    t.equal((await server.call('GET', '/health/ready')).status, 200)
  },
)
