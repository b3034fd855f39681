import { connect } from 'node:net'
import { test } from 'tap'
import { eventually } from '../../helpers/processes/process.js'
import { startServer } from '../../helpers/service/server.js'
import { openTemporaryFiles } from '../../helpers/service/temporary-files.js'

for (const [sentence, type, body] of [
  [
    'as a form',
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nusername\r\nalice',
  ],
  ['as the body', 'text/csv', 'username\r\nalice'],
] as const) {
  test(`an upload ${sentence} that is aborted leaves no open file`, async (t) => {
    const server = await startServer(t)
    const { accessToken } = await server.signIn()
    const { port } = new URL(server.origin)
    for (let count = 0; count < 3; count++) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(
        `POST /system/user/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\n` +
          `Content-Type: ${type}\r\nContent-Length: 100000\r\n\r\n${body}`,
      )
      await eventually('the file to be open', () => (openTemporaryFiles() > 0 ? true : undefined))
      socket.destroy()
      const begin = performance.now()
      await eventually('the file to be closed', () => (openTemporaryFiles() === 0 ? true : undefined))
      t.ok(performance.now() - begin < 10_000, 'at once, not when the garbage is collected')
    }
    t.equal(openTemporaryFiles(), 0)
  })
}
