import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { codeAt } from '../../helpers/service/factors.js'
import { userPassword } from '../../helpers/service/passwords.js'
import { startThree } from '../../helpers/processes/three-processes.js'

/** Fewer wrong ones than those after which an account is paused: the pause may refuse the right one, too. */
const few = 9
const many = 30
const stepLength = 30_000

for (const [authType, count] of ['totp', 'recovery'].flatMap((one) =>
  [few, many].map((number) => [one, number] as const),
)) {
  const outcome = count === few ? 'one succeeds' : 'at most one succeeds'
  test(`of ${count} second steps with one code (${authType}) at three processes ${outcome}`, async (t) => {
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
    const succeeded = answers.filter(({ status }) => status === 200).length
    const statuses = answers.map(({ status }) => status).join()
    if (count === few) t.equal(succeeded, 1, statuses)
    else t.ok(succeeded <= 1, statuses)
  })
}
