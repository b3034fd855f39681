import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { emptyDirectory, installedDirectory } from '../../helpers/processes/child.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { eventually, startProcess } from '../../helpers/processes/process.js'

const newPassword = 'a brand new kettle'

test('users, sessions and keys survive SIGTERM, SIGINT, SIGKILL and new starts', async (t) => {
  const directory = await installedDirectory(t)
  let server = await startProcess(t, { directory })
  const ended: string[] = []
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
    const { accessToken: token } = expectSuccess(t, await server.signIn('admin', adminPassword))
    const { keys } = JSON.parse((await server.call('GET', '/.well-known/jwks.json')).text)
    const end = await server.stop(signal)
    t.match(end, signal === 'SIGKILL' ? { code: null, signal } : { code: 0, signal: null, stderr: '' })
    server = await startProcess(t, { directory })
    t.same(JSON.parse((await server.call('GET', '/.well-known/jwks.json')).text).keys, keys)
    t.equal(expectSuccess(t, await server.call('GET', '/auth/userInfo', { token })).username, 'admin')
    const refreshed = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token })).accessToken
    expectSuccess(t, await server.call('POST', '/auth/logout', { token: refreshed }))
    ended.push(token)
  }
  await server.stop('SIGKILL')
  server = await startProcess(t, { directory })
  for (const token of ended) {
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')
  }
})

test('a changed password survives a SIGKILL right after its answer', async (t) => {
  const directory = await installedDirectory(t)
  const first = await startProcess(t, { directory })
  const { accessToken: other } = expectSuccess(t, await first.signIn('admin', adminPassword))
  const { accessToken: token } = expectSuccess(t, await first.signIn('admin', adminPassword))
  const json = { oldPassword: adminPassword, newPassword }
  expectSuccess(t, await first.call('POST', '/auth/changePassword', { token, json }))
  await first.stop('SIGKILL')
  const second = await startProcess(t, { directory })
  expectProblem(t, await second.signIn('admin', adminPassword), 'invalid_credentials')
  expectSuccess(t, await second.signIn('admin', newPassword))
  expectSuccess(t, await second.call('GET', '/auth/userInfo', { token }))
  expectProblem(t, await second.call('GET', '/auth/userInfo', { token: other }), 'session_revoked')
})

test('every session whose sign-in was answered survives a SIGKILL in the middle of others', async (t) => {
  const directory = await installedDirectory(t)
  const file = join(directory, 'config.json')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"maxSessions": \d+/g, '"maxSessions": 1000'))
  const first = await startProcess(t, { directory })
  const tokens: string[] = []
  const signInForEver = async () => {
    for (;;) {
      const { accessToken } = (await first.signIn('admin', adminPassword)).body.data
      tokens.push(accessToken)
      if (tokens.length === 12) first.child.kill('SIGKILL')
    }
  }
  await Promise.allSettled([signInForEver(), signInForEver()])
  const second = await startProcess(t, { directory })
  t.ok(tokens.length >= 12)
  for (const token of tokens) expectSuccess(t, await second.call('GET', '/auth/userInfo', { token }))
})

const refusesConnections = (origin: string) => {
  const { hostname, port } = new URL(origin)
  return new Promise<true | undefined>((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('connect', () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.on('error', () => resolve(true))
  })
}

test('SIGTERM finishes the request in flight, refuses new connections and ends with exit code 0', async (t) => {
  const directory = emptyDirectory(t)
  openInstallation({ DATA_DIR: directory }, { create: true })
  const file = join(directory, 'config.json')
  // Slow enough that the signal arrives while a password is hashed.
  const slow = readFileSync(file, 'utf8').replace('"passes": 2', '"passes": 10').replace('19456', '65536')
  writeFileSync(file, slow)
  const server = await startProcess(t, { directory, environment: { ROLLCALL_ADMIN_PASSWORD: adminPassword } })
  let answered = false
  const login = server.signIn('admin', adminPassword).finally(() => (answered = true))
  await eventually('the request to arrive', () => server.logLines().find(({ req }) => req?.path === '/auth/login'))
  server.child.kill('SIGTERM')
  await eventually('new connections to be refused', () => refusesConnections(server.origin))
  t.equal(answered, false, 'while the sign-in is still under way')
  const { accessToken: token } = expectSuccess(t, await login)
  t.match(await server.ended, { code: 0, signal: null, stderr: '' })
  const next = await startProcess(t, { directory })
  expectSuccess(t, await next.call('GET', '/auth/userInfo', { token }))
})

test('SIGTERM with an idle open connection ends the process at once', async (t) => {
  const server = await startProcess(t, { directory: await installedDirectory(t) })
  const { hostname, port } = new URL(server.origin)
  const socket = connect(Number(port), hostname)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  expectSuccess(t, await server.call('GET', '/health/live'))
  const begin = performance.now()
  t.match(await server.stop(), { code: 0, signal: null })
  t.ok(performance.now() - begin < 5000)
})
