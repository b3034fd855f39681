import fp from 'fastify-plugin'
import { createFirstAdministrator } from './first-administrator.js'

export interface FirstAdministrator {
  username: string
  /** The random password, to be shown once; undefined when the environment brought one. */
  password: string | undefined
}

export interface FirstStartOptions {
  /** Told once, when the first administrator has been made. The password is kept nowhere else. */
  onFirstStart?: (administrator: FirstAdministrator) => void
}

export default fp<FirstStartOptions>(
  async (app, { onFirstStart }) => {
    const { accounts, clock, db, installation, passwords } = app
    if (!(await db.users.isEmpty())) return
    const chosen = installation.adminPassword
    if (chosen !== undefined) passwords.check('ROLLCALL_ADMIN_PASSWORD', chosen, ['admin'])
    const password = chosen ?? accounts.randomPassword()
    const passwordHash = await passwords.hash(password)
    const username = await createFirstAdministrator(db, clock, {
      passwordHash,
      forcePasswordChange: chosen === undefined,
    })
    if (username !== undefined) onFirstStart?.({ username, password: chosen === undefined ? password : undefined })
  },
  { name: 'first-start', dependencies: ['accounts', 'clock', 'config', 'database', 'passwords'] },
)
