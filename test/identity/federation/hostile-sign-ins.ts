import type { Test } from 'tap'
import type { Reason } from '../../../schemas/problems.js'
import type { AuthUrl } from '../../../schemas/social.js'
import { startHostileProvider, type Fault } from '../../helpers/peers/hostile-provider.js'
import { federation } from '../../helpers/peers/openid-provider.js'
import { expectProblem } from '../../helpers/service/expect.js'
import { startServer, type Answer } from '../../helpers/service/server.js'

export interface Row {
  name: string
  fault: Fault
  reason?: Reason
}

/** A server with one provider for each row, whose platform is called after its place in the table. */
export const startWithHostileProviders = async (t: Test, rows: Row[]) => {
  const providers = []
  for (const [index, { fault }] of rows.entries()) {
    providers.push(await startHostileProvider(t, fault, `row${index}`))
  }
  const settings = federation(
    providers.map((provider) => provider.settings),
    { unknownIdentity: 'register' },
  )
  // So many tries from one address would be paused.
  const lockout = { nameFailuresAnywhere: 100 }
  return { providers, server: await startServer(t, { settings: { ...settings, lockout }, time: Date.now() }) }
}

/**
 * Tries every way in at the provider of every row: each must be refused, and what only the two servers may know must
 * be in no answer and not in the log.
 */
export const expectRefusals = async (t: Test, rows: Row[]) => {
  const { providers, server } = await startWithHostileProviders(t, rows)

  const tryToEnter = async (index: number): Promise<Answer[]> => {
    const provider = providers[index]
    if (!provider) throw new Error('there is no such row')
    const answers: Answer[] = []
    for (const way of ['callback', 'login'] as const) {
      const begun = await server.call<AuthUrl>('GET', `/social/authUrl/row${index}`)
      if (begun.status !== 200) {
        answers.push(begun)
        continue
      }
      const { code, state } = provider.visit(begun.body.data.authUrl)
      const answer =
        way === 'callback'
          ? await server.call('POST', '/social/callback', { json: { platform: `row${index}`, code, state } })
          : await server.call('POST', '/auth/login', { json: { authType: 'oauth2', authCode: code, state } })
      answers.push(answer)
    }
    return answers
  }

  const all = await Promise.all(rows.map((_row, index) => tryToEnter(index)))
  for (const [index, { name, reason = 'invalid_grant' }] of rows.entries()) {
    await t.test(name, async (t) => {
      for (const answer of all[index] ?? []) {
        expectProblem(t, answer, reason)
        t.equal(answer.headers.has('retry-after'), reason === 'unavailable', 'Retry-After')
        t.notMatch(answer.text, /socialTicket"|accessToken/)
        for (const secret of providers[index]?.secrets ?? []) t.notOk(answer.text.includes(secret), 'no secret')
      }
    })
  }
  for (const [index, { name }] of rows.entries()) {
    for (const secret of providers[index]?.secrets ?? []) {
      // Errors of the engine quote ten characters.
      t.notOk(server.log().includes(secret.slice(0, 10)), `${name}: nothing secret in the log`)
    }
  }
  const { accessToken } = await server.signIn()
  const list = await server.call('GET', '/system/user/page', { token: accessToken })
  t.equal(list.body.data.total, 1, 'nobody has got an account')
}
