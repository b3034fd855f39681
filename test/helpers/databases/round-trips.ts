import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
const [parse, bind, sync, simpleQuery, ready] = [...'PBSQZ'].map((letter) => letter.charCodeAt(0))

type Found = (type: number, body: Buffer) => void

/** Calls `found` with the type and the body of each message of a direction; the first one of a client has no type. */
const readMessages = (found: Found, hasStart: boolean) => {
  let rest = Buffer.alloc(0)
  let isStart = hasStart
  return (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const head = isStart ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return
      if (!isStart) found(rest[0] ?? 0, rest.subarray(head + 4, length))
      isStart = false
      rest = rest.subarray(length)
    }
  }
}

/** The texts, each ended by a zero, with which a body begins. */
const textsOf = (body: Buffer): string[] => body.toString('latin1').split('\0')

/**
 * Stands between the service and PostgreSQL at `port` of this machine, and counts round trips: how often somebody has to wait for the
 * server when nothing is under way. What is sent before an answer has come belongs to the same one.
 */
export const countRoundTrips = async (t: Test, port: number) => {
  let open = 0
  let trips: string[][] = []
  const listener = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    const prepared = new Map<string, string>()
    let statement = ''
    let isReadOnly = false
    const asked = readMessages((type, body) => {
      const [first = '', second = ''] = textsOf(body)
      if (type === parse) prepared.set(first, second)
      if (type === bind) statement = prepared.get(second) ?? ''
      if (type === simpleQuery) statement = first
      if (type !== sync && type !== simpleQuery) return
      if (statement.startsWith('begin')) isReadOnly = statement.endsWith('read only')
      // Nobody waits for the end of what was only read.
      const isWaitedFor = statement !== 'commit' || !isReadOnly
      if (open++ === 0 && isWaitedFor) trips.push([])
      trips.at(-1)?.push(statement)
    }, true)
    let hasStarted = false
    const answered = readMessages((type) => {
      if (type !== ready) return
      // The server says that it is ready once without having been asked.
      if (hasStarted) open--
      hasStarted = true
    }, false)
    client.on('data', (bytes: Buffer) => {
      asked(bytes)
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      answered(bytes)
      client.write(bytes)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy())
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.teardown(() => listener.close())
  return {
    port: (listener.address() as AddressInfo).port,
    /** Of what `work` does: what was sent in each. */
    async of(work: () => Promise<unknown>): Promise<string[][]> {
      trips = []
      await work()
      return trips
    },
  }
}
