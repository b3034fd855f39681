import { test } from 'tap'
import { canStartRedis, skipped, startRedis } from '../../helpers/databases/redis.js'
import { startThree } from '../../helpers/processes/three-processes.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { codeAt } from '../../helpers/service/factors.js'
import { userPassword } from '../../helpers/service/passwords.js'
import { tally } from '../../helpers/values/compare.js'

const count = 6
const secondFactor = { policy: 'required', graceDays: 0 }

for (const store of ['the database', 'Redis'] as const) {
  const skip = store === 'Redis' && !(await canStartRedis()) ? skipped : false
  test(
    `of ${count} set-up tickets confirmed at once at three processes one makes a factor, with ${store}`,
    { skip },
    async (t) => {
      const redis = store === 'Redis' ? await startRedis(t) : undefined
      const three = await startThree(t, { secondFactor, ...(redis && { redisUrl: redis.url }) })
      const { id } = await three.operator.addUser({
        username: 'alice',
        password: userPassword,
        forcePasswordChange: false,
      })
      const confirmations: object[] = []
      for (let index = 0; index < count; index++) {
        const json = { username: 'alice', password: userPassword }
        const refused = await three.at(index).call('POST', '/auth/login', { json })
        t.equal(refused.body.data.reason, 'second_factor_setup_required', refused.text)
        const { ticket } = refused.body.data
        const begun = await three.at(index + 1).call('POST', '/auth/factors/totp', { json: { ticket } })
        const { key, secret } = expectSuccess(t, begun)
        confirmations.push({ ticket, key, code: codeAt(secret, Date.now()) })
      }
      const answers = await three.spread(count, (server, index) =>
        server.call('POST', '/auth/factors/totp/confirm', { json: confirmations[index] ?? {} }),
      )
      t.same(tally(answers), { 200: 1, invalid_grant: count - 1 })
      t.equal((await three.db.totpSecrets.ofUser(id)).length, 1)
      t.equal(await three.db.recoveryCodes.left(id), 10)
      t.equal((await three.db.sessions.live(id, Date.now())).length, 1)
    },
  )
}
