import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

/** What PostgreSQL is sent to end a transaction: a simple query. */
const commit = Buffer.from('commit\0')

/** What happens to bytes: they pass, they stay away in both directions, or the answer to COMMIT is replaced by a reset. */
type Mode = 'pass' | 'hang' | 'reset at commit'

/** Stands between the service and a server at `port` of this machine, and ends with the test. */
export const startProxy = async (t: Test, port: number) => {
  let mode: Mode = 'pass'
  let resets = 0
  /** What a connection must have been sent before its COMMIT is not answered. */
  let wanted = ''
  const pairs = new Set<{ client: Socket; server: Socket }>()

  const listener = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    const pair = { client, server }
    let isCommitting = false
    let isWanted = false
    pairs.add(pair)
    client.on('data', (bytes) => {
      if (mode === 'hang') return
      isWanted ||= bytes.includes(wanted)
      isCommitting = mode === 'reset at commit' && isWanted && bytes.includes(commit)
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (mode === 'hang') return
      if (isCommitting) {
        resets++
        client.resetAndDestroy()
        server.destroy()
      } else client.write(bytes)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => {
        other.destroy()
        pairs.delete(pair)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const cut = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
  }
  t.teardown(() => {
    cut()
    listener.close()
  })
  return {
    port: (listener.address() as AddressInfo).port,
    /** `sent`: only for connections that are sent this text after this call. */
    set(next: Mode, sent = '') {
      mode = next
      wanted = sent
    },
    /** How many connections are open. */
    open: () => pairs.size,
    /** Resets all connections. */
    cut,
    /** How often the answer to a COMMIT was replaced by a reset. */
    resets: () => resets,
  }
}
