import { randomInt } from 'node:crypto'
import fp from 'fastify-plugin'
import { createAdministration, type Administration } from './administration.js'
import { createChangePassword } from './change-password.js'
import { createProvePassword } from './prove-password.js'
import { createProveFactor, createProvePasswordOrFactor } from './prove-password-or-factor.js'

/** Without 0 O o 1 I l, which look alike: people read the password from a screen. */
const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const passwordLength = 20

/** A random password of about 115 bits. */
const randomPassword = () =>
  Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('')

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Administration & {
      randomPassword: typeof randomPassword
      changePassword: ReturnType<typeof createChangePassword>
      provePassword: ReturnType<typeof createProvePassword>
      proveFactor: ReturnType<typeof createProveFactor>
      provePasswordOrFactor: ReturnType<typeof createProvePasswordOrFactor>
    }
  }
}

export default fp(
  async (app) => {
    const administration = createAdministration(app)
    const provePassword = createProvePassword(app)
    const proveFactor = createProveFactor(app.secondFactor)
    const { isFresh } = app.sessions
    const provePasswordOrFactor = createProvePasswordOrFactor({ provePassword, proveFactor, isFresh })
    const proofs = { provePassword, proveFactor, provePasswordOrFactor }
    app.decorate('accounts', {
      ...administration,
      randomPassword,
      changePassword: createChangePassword(app, administration.writes, proofs),
      ...proofs,
    })
  },
  { name: 'people/write' },
)
