import { once } from 'node:events'
import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

/** Below the ports that Linux gives to a program which asks for any, as other tests do at the same time. */
const range = [20_000, 32_000] as const

/** A port of this machine on which nothing listens. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(...range)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
