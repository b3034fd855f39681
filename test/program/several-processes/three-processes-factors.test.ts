import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { codeAt } from '../../helpers/service/factors.js'
import { userPassword } from '../../helpers/service/passwords.js'
import { startThree } from '../../helpers/processes/three-processes.js'

const count = 50
const stepLength = 30_000

for (const authType of ['totp', 'recovery'] as const) {
  test(`of ${count} second steps with one code (${authType}) at three processes one succeeds`, async (t) => {
    const three = await startThree(t)
    await three.operator.addUser({ username: 'alice', password: userPassword, forcePasswordChange: false })
    const token = await three.signIn(0, 'alice')
    const begun = expectSuccess(t, await three.at(1).call('POST', '/auth/factors/totp', { token, json: {} }))
    // A code of the step before, so that the present one is left.
    const json = { key: begun.key, code: codeAt(begun.secret, Date.now() - stepLength) }
    const confirmed = await three.at(2).call('POST', '/auth/factors/totp/confirm', { token, json })
    const { recoveryCodes } = expectSuccess(t, confirmed)
    const tickets: string[] = []
    for (let index = 0; index < count; index++) {
      const credentials = { username: 'alice', password: userPassword }
      const answer = await three.at(index).call('POST', '/auth/login', { json: credentials })
      t.equal(answer.body.data.reason, 'second_factor_required', answer.text)
      tickets.push(answer.body.data.ticket)
    }
    const code = authType === 'totp' ? codeAt(begun.secret, Date.now()) : recoveryCodes[0]
    const answers = await three.spread(count, (server, index) =>
      server.call('POST', '/auth/login', { json: { authType, ticket: tickets[index], code } }),
    )
    const statuses = answers.map(({ status }) => status)
    t.equal(statuses.filter((status) => status === 200).length, 1, statuses.join())
  })
}
