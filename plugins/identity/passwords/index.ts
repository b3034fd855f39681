import fp from 'fastify-plugin'
import type { User } from '../../../db/repositories/users.js'
import type { PasswordPolicy } from '../../../schemas/login.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Clock } from '../../../lib/clock.js'
import { createHashing } from './hashing.js'
import { checkNewPassword, maxLength } from './policy.js'

const day = 24 * 3600 * 1000

const createPasswords = (settings: Settings['passwords'], serviceName: string, clock: Clock) => {
  const policy: PasswordPolicy = { minLength: settings.minLength, maxLength }
  return {
    ...createHashing(settings),
    policy,
    /** Whether an administrator set the password and it has expired: the user did not change it in time (ASVS 6.4.1). */
    isOverdue: ({ forcePasswordChange, passwordTime }: User): boolean =>
      forcePasswordChange && passwordTime !== null && clock.now() >= passwordTime + settings.initialDays * day,
    /** The names of a user, of which a password must not consist. */
    namesOf: ({ username, phone, email }: Pick<User, 'username' | 'phone' | 'email'>, tenant: string): string[] =>
      [username, phone, email?.split('@')[0], tenant].filter((name) => name != null),
    /** Throws `invalid_request` for `field` when the policy refuses `password`. `names` are the user's names. */
    check: (field: string, password: string, names: string[]) =>
      checkNewPassword(field, password, [...names, serviceName], settings.minLength),
  }
}

export type Passwords = ReturnType<typeof createPasswords>

declare module 'fastify' {
  interface FastifyInstance {
    passwords: Passwords
  }
}

export default fp(
  async (app) => {
    const { passwords, serviceName } = app.installation.settings
    app.decorate('passwords', createPasswords(passwords, serviceName, app.clock))
    app.addHook('onClose', () => app.passwords.close())
  },
  { name: 'identity/passwords' },
)
