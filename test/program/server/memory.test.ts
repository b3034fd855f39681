import { setTimeout } from 'node:timers/promises'
import { test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { startProcess } from '../../helpers/processes/process.js'
import { residentMemory } from '../../helpers/processes/resident-memory.js'

/** MiB. */
const maxMemory = 150
/** What the start leaves to do takes 2 s alone, and longer where other tests run. Milliseconds. */
const maxWait = 10_000
const pause = 1000
/** Beside other tests a start may leave garbage that nothing makes the process collect. */
const maxStarts = 3

test(
  `after a first start the service takes less than ${maxMemory} MiB of memory`,
  { skip: process.platform === 'linux' ? false : 'reads /proc' },
  async (t) => {
    let memory = Infinity
    for (let starts = 0; memory >= maxMemory && starts < maxStarts; starts++) {
      const server = await startProcess(t, { directory: emptyDirectory(t) })
      memory = Infinity
      for (let waited = 0; memory >= maxMemory && waited < maxWait; waited += pause) {
        await setTimeout(pause)
        memory = residentMemory(server.child.pid ?? 0)
      }
      t.comment(`${memory.toFixed(1)} MiB`)
      await server.stop()
    }
    t.ok(memory < maxMemory, `${memory.toFixed(1)} MiB`)
  },
)
