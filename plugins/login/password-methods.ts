import type { UserRepository } from '../../db/users.js'
import { problem } from '../errors/problem.js'
import type { Passwords } from '../passwords/index.js'
import type { LoginMethod } from './registry.js'

/** Sign-in by user name and password, with and without a captcha of its own. */
export const createPasswordMethods = (users: UserRepository, passwords: Passwords): LoginMethod[] => {
  const shared: Pick<LoginMethod, 'subject' | 'verify'> = {
    subject: ({ username = '' }) => username,
    async verify({ username = '', password = '' }, tenantId) {
      const user = await users.findByUsername(tenantId, username)
      const matches = await passwords.verify(user?.passwordHash, password)
      if (!user || !matches) throw problem('invalid_credentials')
      return user
    },
  }
  return [
    { name: 'password', needs: ['username', 'password'], captcha: 'configured', ...shared },
    { name: 'password_captcha', needs: ['username', 'password'], captcha: 'required', ...shared },
  ]
}
