import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startChild } from './child.js'
import { createClient } from './client.js'
import { expectSuccess } from './expect.js'
import { eventually } from './process.js'
import { root } from './project.js'

/** The program in docs/embedding.md, word for word. */
export const embeddingExample = (): string =>
  /```js\n([^]*?)```/.exec(readFileSync(join(root, 'docs/embedding.md'), 'utf8'))?.[1] ?? ''

/** Runs the example on empty data in a project that has the package, and does what a reader would do. */
export const tryEmbeddingExample = async (t: Test, project: string): Promise<void> => {
  const file = join(project, 'host.mjs')
  writeFileSync(file, embeddingExample())
  const { child, output } = startChild(t, file, [], { directory: join(project, 'data'), environment: { PORT: '0' } })
  const origin = await eventually('the host to listen', () => {
    if (child.exitCode !== null) throw new Error(`the host ended: ${output.stdout}${output.stderr}`)
    return /"Server listening at (http:[^"]+)"/.exec(output.stdout)?.[1]
  })
  const password = /First start, sign in as \{ username: 'admin', password: '([^']+)' \}/.exec(output.stdout)?.[1] ?? ''
  const { call } = createClient(origin)
  const get = async (path: string, token?: string) => {
    const { status, text } = await call('GET', path, token === undefined ? {} : { token })
    return { status, text }
  }
  t.match(await get('/mine'), { status: 401, text: /token_missing/ })
  const json = { username: 'admin', password }
  const { accessToken: first } = expectSuccess(t, await call('POST', '/iam/auth/login', { json }))
  t.match(await get('/mine', first), { status: 403, text: /password_change_required/ })
  const change = { oldPassword: password, newPassword: 'a brand new kettle' }
  expectSuccess(t, await call('POST', '/iam/auth/changePassword', { token: first, json: change }))
  t.same(await get('/mine', first), { status: 200, text: 'Hello admin' })
  t.same(await get('/reports', first), { status: 200, text: 'All is well' })
  t.match(await get('/reports', 'wrong'), { status: 401, text: /token_invalid/ })
}
