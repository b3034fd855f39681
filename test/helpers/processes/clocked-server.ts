import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import rollcall, { serverOptions } from '../../../app.js'
import { createClock } from '../values/clock.js'
import { openData } from '../service/open-data.js'

/** What the test tells a server: so many seconds have passed. */
export interface Advance {
  seconds: number
}

/**
 * A program that serves an installation with the clock of the test, which moves it by messages. Argument: epoch
 * milliseconds at which the clock stands.
 */
const main = async (): Promise<void> => {
  const clock = createClock(Number(process.argv[2]))
  const installation = openData(process.env as Record<string, string>, {})
  const app = Fastify(serverOptions(installation.settings, clock))
  await app.register(rollcall, { installation, clock })
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.on('message', ({ seconds }: Advance) => {
    clock.advance(seconds)
    process.send?.('moved')
  })
  process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
  process.send?.(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
}

await main()
