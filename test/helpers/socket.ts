import { connect } from 'node:net'
import type { TestServer } from './server.js'

/** Sends bytes over a connection of their own and returns everything that comes back until the server ends it. */
export const sendBytes = (server: TestServer, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.origin)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (answer += text))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
