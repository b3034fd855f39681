import { test, type Test } from 'tap'
import { email, startWithMessages } from '../../helpers/service/self-service.js'
import { addApiToken } from '../../helpers/service/api-tokens.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, userPassword } from '../../helpers/service/server.js'

const newPassword = 'a brand new kettle'

const start = async (t: Test) => {
  const all = await startWithMessages(t)
  const { server, alice } = all
  const { token } = await addApiToken(server.app.db, server.clock, alice)
  const isAlive = async () => (await server.call('GET', '/auth/userInfo', { token })).status === 200
  return { ...all, token, isAlive }
}

for (const [endTokens, ends] of [
  [undefined, false],
  [false, false],
  [true, true],
] as const) {
  test(`a change of the password with endTokens ${endTokens} ${ends ? 'ends' : 'keeps'} the tokens`, async (t) => {
    const { server, token, isAlive } = await start(t)
    const { accessToken } = await server.signIn('alice')
    const json = { oldPassword: userPassword, newPassword, ...(endTokens !== undefined && { endTokens }) }
    expectSuccess(t, await server.call('POST', '/auth/changePassword', { token: accessToken, json }))
    t.equal(await isAlive(), !ends)
    if (ends) expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'token_ended')
  })
}

for (const [endTokens, ends] of [
  [undefined, true],
  [false, false],
  [true, true],
] as const) {
  test(`a reset with endTokens ${endTokens} ${ends ? 'ends' : 'keeps'} the tokens, by code or by an administrator`, async (t) => {
    const more = endTokens === undefined ? {} : { endTokens }
    const { server, post, mailedCode, isAlive } = await start(t)
    const code = await mailedCode(() => post('/auth/password/forgot', { recipient: email }))
    expectSuccess(t, await post('/auth/password/reset', { recipient: email, code, newPassword, ...more }))
    t.equal(await isAlive(), !ends)

    const other = await start(t)
    const { accessToken } = await other.server.signIn('admin', adminPassword)
    const path = `/system/user/${other.alice.id}/password`
    const json = { password: newPassword, ...more }
    expectSuccess(t, await other.server.call('POST', path, { token: accessToken, json }))
    t.equal(
      (await other.server.app.db.apiTokens.liveOfUser(other.alice.id, other.server.clock.now())).length,
      ends ? 0 : 1,
    )
    const audit = await other.server.call('GET', '/system/audit/page', { token: accessToken })
    t.strictSame(audit.body.data.records[0].after, ends ? { endedTokens: 1 } : null)
    t.equal(server.log().includes(newPassword), false)
  })
}
