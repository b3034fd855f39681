import fp from 'fastify-plugin'
import type { User } from '../../db/users.js'
import { createAdministration, type Administration } from './administration.js'
import { createChangePassword } from './change-password.js'
import { readEmail, readPhone, signInNames } from './contacts.js'
import { randomPassword } from './random-password.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Administration & {
      randomPassword: typeof randomPassword
      changePassword: ReturnType<typeof createChangePassword>
      /** Reads a phone number as people of the configured region write it; undefined when it is none. */
      readPhone: (text: string) => ReturnType<typeof readPhone>
      readEmail: typeof readEmail
      /** What a user can be named by when signing in. */
      signInNames: (user: User) => string[]
    }
  }
}

export default fp(
  async (app) => {
    const { attempts, clock, db, passwords } = app
    const { directory, settings } = app.installation
    const { phoneRegion } = settings
    app.decorate('accounts', {
      ...createAdministration({ db, passwords, attempts, clock, phoneRegion, directory }),
      randomPassword,
      changePassword: createChangePassword({ db, passwords, attempts, clock }),
      readPhone: (text) => readPhone(text, phoneRegion),
      readEmail,
      signInNames: (user) => signInNames(user, phoneRegion),
    })
  },
  { name: 'accounts', dependencies: ['attempts', 'clock', 'config', 'database', 'passwords'] },
)
