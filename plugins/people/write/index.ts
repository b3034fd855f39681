import { randomInt } from 'node:crypto'
import fp from 'fastify-plugin'
import { randomId } from '../../../lib/random-id.js'
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
    const { attempts, audit, clock, contacts, db, notices, passwords, sessions } = app
    const { purposeOf } = app.secondFactor
    const encryptTotp = (secret: string) => {
      const id = randomId()
      return { id, encryptedSecret: app.encryption.encrypt(secret, purposeOf(id)) }
    }
    const administration = createAdministration({ audit, db, passwords, clock, contacts, encryptTotp })
    const { writes } = administration
    const provePassword = createProvePassword({ passwords, attempts })
    const { isFresh } = sessions
    const proveFactor = createProveFactor(app.secondFactor)
    const provePasswordOrFactor = createProvePasswordOrFactor({ provePassword, proveFactor, isFresh })
    const proofs = { provePassword, proveFactor, provePasswordOrFactor }
    app.decorate('accounts', {
      ...administration,
      randomPassword,
      changePassword: createChangePassword({ audit, db, passwords, notices, writes, ...proofs }),
      ...proofs,
    })
  },
  { name: 'people/write' },
)
