import { assignCores } from '../cores.js'
import { compare, measure } from '../load.js'
import { median, type Part } from '../part.js'

const starts = 10
/** Until code is compiled, the heap has its size and V8 has decided where it keeps the objects of a request. Seconds. */
const warmUp = 8

export const freshStarts: Part = {
  description: 'token checks of ten fresh starts on one core: as fast as each other, and without full collections',
  everySize: false,
  async run({ startServer, headers, seconds, bareUrl, pids }) {
    const speeds: number[] = []
    const collections: number[] = []
    for (let count = 0; count < starts; count++) {
      const server = await startServer()
      assignCores([server.pid, ...pids], true)
      const load = { url: `${server.url}/auth/userInfo`, headers }
      await measure(load, warmUp)
      await server.ask('watchCollections')
      // Beside the bare server, because the machine itself can be slower for as long as a start is measured.
      const { ratio } = await compare(
        () => measure(load, seconds),
        () => measure({ url: `${bareUrl}/userInfo`, headers }, seconds),
      )
      speeds.push(ratio)
      collections.push(await server.ask<number>('fullCollections'))
      await server.stop()
    }
    const ratio = median(speeds)
    const worst = Math.min(...speeds)
    const values = { ratio, worst, worstOfMedian: worst / ratio }
    return [
      // A start that is half as fast is a fault; single measurements on a shared machine vary by a fifth.
      { name: 'token checks', values, target: { value: 'worstOfMedian', atLeast: 0.75 } },
      {
        name: 'full collections',
        values: { most: Math.max(...collections), sum: collections.reduce((sum, one) => sum + one, 0) },
        target: { value: 'most', atMost: 0 },
      },
    ]
  },
}
