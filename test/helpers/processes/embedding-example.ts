import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { databaseContent, startChild } from './child.js'
import { createClient } from '../service/client.js'
import { filesToSave } from '../documents/documents.js'
import { expectProblem, expectSuccess } from '../service/expect.js'
import { startPeer } from '../peers/http-peer.js'
import { adminPassword } from '../service/passwords.js'
import { eventually } from './process.js'

/** The files in docs/embedding.md, word for word. */
export const embeddingExamples = filesToSave('docs/embedding.md')

const startExample = async (t: Test, project: string, name: string, environment: Record<string, string> = {}) => {
  for (const [file, code] of embeddingExamples) writeFileSync(join(project, file), code)
  const options = { directory: join(project, `data of ${name}`), environment: { PORT: '0', ...environment } }
  const { child, output } = startChild(t, join(project, name), [], options)
  const origin = await eventually('the host to listen', () => {
    if (child.exitCode !== null) throw new Error(`the host ended: ${output.stdout}${output.stderr}`)
    return /"Server listening at (http:[^"]+)"/.exec(output.stdout)?.[1]
  })
  return { ...createClient(origin), output }
}

/** Runs the example on empty data in a project that has the package, and does what a reader would do. */
export const tryEmbeddingExample = async (t: Test, project: string): Promise<void> => {
  const { call, output } = await startExample(t, project, 'host.mjs')
  const password = /First start, sign in as \{ username: 'admin', password: '([^']+)' \}/.exec(output.stdout)?.[1] ?? ''
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

/** Runs the example of two services with a method, a sender and a store of the host, and does what their clients do. */
export const tryEmbeddingParts = async (t: Test, project: string): Promise<void> => {
  const gateway = await startPeer(t, () => ({ status: 200 }))
  const environment = { GATEWAY: gateway.url, ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const { call } = await startExample(t, project, 'two.mts', environment)
  const post = (path: string, json: object, token?: string) =>
    call('POST', path, token === undefined ? { json } : { json, token })
  const methodsOf = async (prefix: string): Promise<string[]> =>
    expectSuccess(t, await call('GET', `${prefix}/auth/loginConfig`)).authTypes
  t.same(await methodsOf('/staff'), ['password', 'password_captcha', 'passkey', 'badge'])
  t.same(await methodsOf('/customers'), ['password', 'password_captcha', 'phone_captcha', 'passkey'])

  const byBadge = (prefix: string, more: object) =>
    post(`${prefix}/auth/login`, { authType: 'badge', username: 'admin', ...more })
  const { accessToken } = expectSuccess(t, await byBadge('/staff', { authCode: '4711' }))
  t.match(expectSuccess(t, await call('GET', '/staff/auth/userInfo', { token: accessToken })), { username: 'admin' })
  expectProblem(t, await call('GET', '/customers/auth/userInfo', { token: accessToken }), 'token_invalid')
  expectProblem(t, await byBadge('/customers', { authCode: '4711' }), 'unsupported_auth_type')
  expectProblem(t, await byBadge('/staff', {}), 'invalid_request', ['authCode'])
  for (let tries = 0; tries < 5; tries++) {
    expectProblem(t, await byBadge('/staff', { authCode: '4712' }), 'invalid_credentials')
  }
  expectProblem(t, await byBadge('/staff', { authCode: '4712' }), 'too_many_attempts')

  const customer = { username: 'alice', password: 'plain green teapot', phone: '13800138000' }
  const { accessToken: token } = expectSuccess(
    t,
    await post('/customers/auth/login', { username: 'admin', password: adminPassword }),
  )
  expectSuccess(t, await post('/customers/system/user', customer, token))
  expectSuccess(t, await post('/customers/auth/captcha/sms', { phone: customer.phone }))
  const [{ body } = { body: '' }] = await gateway.waitFor(1)
  const { phone, text } = JSON.parse(body) as Record<string, string>
  t.equal(phone, '+8613800138000')
  const json = { authType: 'phone_captcha', phone: customer.phone, code: /\d{6}/.exec(text ?? '')?.[0] }
  t.equal(expectSuccess(t, await post('/customers/auth/login', json)).userInfo.username, 'alice')
  expectProblem(t, await post('/customers/auth/login', json), 'invalid_code')
  const stored = databaseContent(join(project, 'data of two.mts/customers'))['store'] as { key: string }[]
  t.same(stored.map(({ key }) => key).sort(), ['settings-in-use'], 'neither codes nor counters are in the database')
}
