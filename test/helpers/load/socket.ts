import { connect } from 'node:net'
import type { Answer, TestServer } from '../service/server.js'

/** Sends bytes over a connection of their own and reads the one answer, until the server ends the connection. */
export const sendBytes = (server: TestServer, bytes: string | Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.origin)
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (received += text))
    socket.on('end', () => resolve(readAnswer(received)))
    socket.on('error', reject)
  })

const readAnswer = (received: string): Answer => {
  const end = received.indexOf('\r\n\r\n')
  const [line = '', ...fields] = received.slice(0, end).split('\r\n')
  const text = received.slice(end + 4)
  const headers = new Headers(
    fields.map((field): [string, string] => [field.split(':')[0] ?? '', field.replace(/^[^:]*:/, '')]),
  )
  const isJson = text.startsWith('{')
  return { status: Number(line.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : {} }
}

/** The bytes of a request, for what `fetch` would not send. */
export const request = (line: string, headers: Record<string, string> = {}, body = ''): string => {
  const fields = { Host: 'localhost', Connection: 'close', ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
