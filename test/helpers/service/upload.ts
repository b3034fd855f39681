import type { Answer, CallOptions } from './server.js'
import type { TestServer } from './server.js'

const boundary = 'a-boundary-of-tests'

/** A form with files. */
export const formOf = (...files: { name?: string; filename?: string; content: string | Buffer }[]) => {
  const parts = files.flatMap(({ name = 'file', filename = 'users.csv', content }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n`,
    content,
    '\r\n',
  ])
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    raw: Buffer.concat([...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part as string))),
  }
}

/** Imports a file as a form. */
export const importFile = (
  server: Pick<TestServer, 'call'>,
  token: string,
  content: string | Buffer,
  options: CallOptions = {},
): Promise<Answer> => {
  const { headers, raw } = formOf({ content })
  return server.call('POST', '/system/user/import', {
    token,
    raw,
    ...options,
    headers: { ...headers, ...options.headers },
  })
}
