import { rmSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import rollcall, { openInstallation, serverOptions } from '../app.js'
import { answerQuestions } from './questions.js'

/** How long the event loop was held, milliseconds. */
export interface Holds {
  longest: number
  /** 99th percentile. */
  p99: number
}

/** Milliseconds between two looks at the event loop, and by how much what is seen may be too long. */
const resolution = 1
const nanoseconds = 1e6
/** Before its second look the monitor sees nothing, and after a hold it has to look once more. Milliseconds. */
const looks = 5 * resolution

/** Rollcall in the data directory `DATA_DIR`, which ends with this process should its parent die. */
const installation = openInstallation(process.env, { create: true })
const app = Fastify(serverOptions(installation.settings))
await app.register(fp(rollcall), { installation })
const url = await app.listen({ host: '127.0.0.1', port: 0 })

const delays = monitorEventLoopDelay({ resolution })
const answers = {
  async watch() {
    delays.reset()
    delays.enable()
    await setTimeout(looks)
  },
  async holds(): Promise<Holds> {
    await setTimeout(looks)
    delays.disable()
    const milliseconds = (value: number) => Math.max(0, value / nanoseconds - resolution)
    return { longest: milliseconds(delays.max), p99: milliseconds(delays.percentile(99)) }
  },
  memory: () => process.memoryUsage.rss(),
}
answerQuestions(answers, url, () => rmSync(installation.directory, { recursive: true, force: true }))
process.on('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
