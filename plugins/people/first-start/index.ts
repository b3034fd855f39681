import fp from 'fastify-plugin'
import type { Settings } from '../../../schemas/settings.js'
import { OperatorError } from '../../../lib/operator-error.js'
import { isProblem } from '../../../lib/problem.js'
import type { DatabaseOptions } from '../../run/database.js'
import { toViolations } from '../../../lib/violations.js'
import { checkNewPassword } from '../../identity/passwords/policy.js'
import { createFirstAdministrator, first } from './first-administrator.js'

export interface FirstAdministrator {
  username: string
  /** The random password, to be shown once; undefined when the environment sets the password. */
  password: string | undefined
}

/** The fault of a password for the first administrator, as text; undefined if the password is accepted. */
export const checkAdminPassword = (password: string, settings: Settings): string | undefined => {
  try {
    const names = [first.username, first.tenant, settings.serviceName]
    checkNewPassword('password', password, names, settings.passwords.minLength)
    return undefined
  } catch (error) {
    if (!isProblem(error)) throw error
    return toViolations(error.details.faults ?? [], 'en')[0]?.message
  }
}

export interface FirstStartOptions {
  /** Called once, when the first administrator has been created. The password is not stored in plain text anywhere. */
  onFirstStart?: (administrator: FirstAdministrator) => void
}

export default fp<FirstStartOptions & Pick<DatabaseOptions, 'prepare'>>(
  async (app, { onFirstStart, prepare }) => {
    const { accounts, clock, db, installation, passwords } = app
    if (!(await db.users.isEmpty())) return
    if (prepare === 'nothing') throw new OperatorError('The database has no users yet. Run `rollcall init` first.')
    const chosen = installation.adminPassword
    const fault = chosen === undefined ? undefined : checkAdminPassword(chosen, installation.settings)
    if (fault !== undefined) throw new OperatorError(`ROLLCALL_ADMIN_PASSWORD (environment) ${fault}.`)
    // A random password that cannot be shown would be lost.
    if (chosen === undefined && !onFirstStart) {
      throw new OperatorError(
        'The database has no users yet. Run `rollcall init` first, or set ROLLCALL_ADMIN_PASSWORD.',
      )
    }
    const password = chosen ?? accounts.randomPassword()
    const passwordHash = await passwords.hashBeforeListening(password)
    const username = await createFirstAdministrator(db, clock, accounts.writes, {
      passwordHash,
      forcePasswordChange: chosen === undefined,
    })
    if (username !== undefined) onFirstStart?.({ username, password: chosen === undefined ? password : undefined })
  },
  { name: 'people/first-start' },
)
