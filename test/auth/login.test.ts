import { test } from 'tap'
import { expectProblem, expectSuccess } from '../helpers/expect.js'
import { adminPassword, startServer } from '../helpers/server.js'

test('a right password signs in and returns exactly the login result', async (t) => {
  const server = await startServer(t)
  const answer = await server.call('POST', '/auth/login', { json: { username: 'admin', password: adminPassword } })
  const data = expectSuccess(t, answer)
  t.same(Object.keys(data).sort(), ['accessToken', 'expiresIn', 'forcePasswordChange', 'tokenType', 'userInfo'])
  t.equal(data.tokenType, 'Bearer')
  t.equal(data.expiresIn, 1800)
  t.equal(data.forcePasswordChange, false)
  t.notMatch(answer.text, /argon2|hash|password"/i)
  const info = await server.call('GET', '/auth/userInfo', { token: data.accessToken })
  t.same(expectSuccess(t, info), data.userInfo)
  const page = await server.call('GET', '/system/user/page', { token: data.accessToken })
  t.equal(expectSuccess(t, page).total, 1)
  const refreshed = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: data.accessToken }))
  t.not(refreshed.accessToken, data.accessToken)
  const again = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: data.accessToken }))
  t.equal(again.accessToken, refreshed.accessToken)
  expectSuccess(t, await server.call('POST', '/auth/logout', { token: refreshed.accessToken, json: {} }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: refreshed.accessToken }), 'session_revoked')
})

test('a wrong password and an unknown name get the same answer', async (t) => {
  const server = await startServer(t)
  for (const json of [
    { username: 'admin', password: 'wrong horse battery' },
    { username: 'nobody', password: adminPassword },
  ]) {
    expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_credentials')
  }
  expectProblem(t, await server.call('POST', '/auth/login', { json: {} }), 'invalid_request', ['username', 'password'])
})
