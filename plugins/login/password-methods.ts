import type { User, UserRepository } from '../../db/repositories/users.js'
import { problem } from '../../lib/problem.js'
import type { DummyHashes } from '../passwords/dummy-hashes.js'
import type { Passwords } from '../passwords/index.js'
import type { LoginMethod } from './registry.js'

/** Sign-in by user name and password, with and without a captcha of its own. */
export const createPasswordMethods = (
  users: UserRepository,
  passwords: Passwords,
  dummyHashes: Pick<DummyHashes, 'of'>,
  log: { error(details: object, message: string): void },
): LoginMethod[] => {
  /** Strengthens the hash while the password is at hand. A failure is no reason to keep the person out. */
  const strengthen = async (user: User, password: string): Promise<User> => {
    const { passwordHash } = user
    const lane = `user ${user.id}`
    if (passwordHash === null || !passwords.needsRehash(passwordHash)) return user
    try {
      const stronger = await passwords.hash(password, lane)
      if (await users.rehash(user.id, passwordHash, stronger)) return { ...user, passwordHash: stronger }
    } catch (error) {
      log.error({ err: error, userId: user.id }, 'a password hash could not be strengthened')
      return user
    }
    // Somebody was faster: another sign-in with the same thing in mind, or a change of the password.
    const current = await users.find(user.id)
    const matches = current && (await passwords.verify(current.passwordHash, password, { share: 'known', lane }))
    if (!matches) throw problem('invalid_credentials')
    return current
  }

  const shared: Pick<LoginMethod, 'subject' | 'verify'> = {
    subject: ({ username = '' }) => username,
    async verify({ username = '', password = '' }, { tenantId, requester }) {
      const user = await users.findByUsername(tenantId, username)
      const dummy = dummyHashes.of(tenantId, username)
      const matches = await passwords.verify(user?.passwordHash, password, requester, dummy)
      if (!user || !matches || passwords.isOverdue(user)) throw problem('invalid_credentials')
      return strengthen(user, password)
    },
  }
  return [
    { name: 'password', needs: ['username', 'password'], captcha: 'configured', ...shared },
    { name: 'password_captcha', needs: ['username', 'password'], captcha: 'required', ...shared },
  ]
}
