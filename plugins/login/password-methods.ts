import type { User, UserRepository } from '../../db/repositories/users.js'
import { problem } from '../../lib/problem.js'
import { loginExample } from '../../schemas/login.js'
import type { DummyHashes } from '../passwords/dummy-hashes.js'
import type { Passwords } from '../passwords/index.js'
import type { PasswordNames } from './password-names.js'
import type { LoginMethod } from './registry.js'

/** Sign-in by a name and a password; `password_captcha` always requires a captcha. */
export const createPasswordMethods = (
  users: Pick<UserRepository, 'find' | 'rehash'>,
  names: PasswordNames,
  passwords: Passwords,
  dummyHashes: Pick<DummyHashes, 'of'>,
  log: { error(details: object, message: string): void },
): LoginMethod[] => {
  /** Replaces a hash that is weaker than configured, while the password is known. If this fails, the sign-in goes on. */
  const upgradeHash = async (user: User, password: string): Promise<User> => {
    const { passwordHash } = user
    const fairnessKey = `user ${user.id}`
    if (passwordHash === null || !passwords.needsRehash(passwordHash)) return user
    try {
      const stronger = await passwords.hash(password, fairnessKey)
      if (await users.rehash(user.id, passwordHash, stronger)) return { ...user, passwordHash: stronger }
    } catch (error) {
      log.error({ err: error, userId: user.id }, 'could not replace a weak password hash')
      return user
    }
    // The stored hash has changed meanwhile: by a parallel sign-in, or by a change of the password.
    const current = await users.find(user.id)
    const matches = current && (await passwords.verify(current.passwordHash, password, { group: 'known', fairnessKey }))
    if (!matches) throw problem('invalid_credentials')
    return current
  }

  const shared: Pick<LoginMethod, 'needs' | 'firstAnswer' | 'isWayIn' | 'subject' | 'verify'> = {
    needs: ['username', 'password'],
    firstAnswer: 'passwordMissing',
    isWayIn: (user) => user.passwordHash !== null && !passwords.isOverdue(user),
    subject: ({ username = '' }, tenantId) => names.nameOf(tenantId, username),
    async verify({ username = '', password = '' }, { tenantId, requester }) {
      const user = await names.find(tenantId, username)
      const dummy = dummyHashes.of(tenantId, username)
      const matches = await passwords.verify(user?.passwordHash, password, requester, dummy)
      if (!user || !matches || passwords.isOverdue(user)) throw problem('invalid_credentials')
      return upgradeHash(user, password)
    },
  }
  return [
    {
      name: 'password',
      meaning: 'user name and password',
      summary: 'Sign-in by user name and password, and a captcha after the answer `captcha_required`',
      takes: [],
      example: loginExample,
      captcha: 'configured',
      ...shared,
    },
    {
      name: 'password_captcha',
      meaning: 'user name, password and captcha',
      summary: 'Sign-in by user name and password with a captcha',
      takes: [],
      example: { authType: 'password_captcha', ...loginExample, code: '', codeKey: '' },
      captcha: 'required',
      ...shared,
    },
  ]
}
