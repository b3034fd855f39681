import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { test } from 'tap'
import { startServer } from '../helpers/service/server.js'
import { dominance, timeRefusal } from '../helpers/load/timing.js'

/** Of a known name and an unknown one. The standard error of the probability is 0.024. */
const pairs = 300
/** Four standard errors: one honest run in 15,000 lies beyond. */
const tolerance = 0.1
/** So many accounts, so that none fails so often that it is paused. */
const accounts = 100

for (const [sentence, password] of [
  ['a wrong password', 'wrong horse battery'],
  ['a password too long for bcrypt', 'x'.repeat(80)],
] as const) {
  test(`L1: among imported users ${sentence} does not tell whether a name exists`, async (t) => {
    const server = await startServer(t, { hasRealHashes: true, settings: { captcha: { mode: 'never' } } })
    const kinds = [
      await bcrypt('plain green teapot', 10),
      await bcrypt('plain green teapot', 11),
      await argon2('plain green teapot', { memoryCost: 8192, timeCost: 1 }),
      await argon2('plain green teapot', { memoryCost: 19456, timeCost: 2 }),
    ]
    for (let index = 0; index < accounts; index++) {
      const [username, passwordHash] = [`person${index}`, kinds[index % kinds.length] ?? '']
      await server.app.db.users.add(
        { tenantId: 1, username, realName: username, userType: 2, passwordHash, forcePasswordChange: false },
        server.clock.now(),
      )
    }
    await server.app.dummyHashes.count()
    for (let warm = 0; warm < 10; warm++) await timeRefusal(server, { username: `warm${warm}`, password })
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let index = 0; index < pairs; index++) {
      const turns = [
        async () => known.push(await timeRefusal(server, { username: `person${index % accounts}`, password })),
        async () => unknown.push(await timeRefusal(server, { username: `stranger${index}`, password })),
      ]
      // In changing order: what the machine does beside falls on both.
      for (const turn of index % 2 === 0 ? turns : turns.reverse()) await turn()
    }
    const probability = dominance(known, unknown)
    t.comment(`told apart with probability ${probability.toFixed(3)}`)
    t.ok(Math.abs(probability - 0.5) < tolerance, `told apart with probability ${probability.toFixed(3)}`)
  })
}
