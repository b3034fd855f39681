import { setTimeout } from 'node:timers/promises'
import { test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { startProcess } from '../../helpers/processes/process.js'
import { residentMemory } from '../../helpers/processes/resident-memory.js'

/** MiB. */
const maxMemory = 150
/** What the start leaves to do is done by then. Milliseconds. */
const calm = 2000

test(
  `after a first start the service takes less than ${maxMemory} MiB of memory`,
  { skip: process.platform === 'linux' ? false : 'reads /proc' },
  async (t) => {
    const server = await startProcess(t, { directory: emptyDirectory(t) })
    await setTimeout(calm)
    const memory = residentMemory(server.child.pid ?? 0)
    t.comment(`${memory.toFixed(1)} MiB`)
    t.ok(memory < maxMemory, `${memory.toFixed(1)} MiB`)
  },
)
