import fp from 'fastify-plugin'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import { visibleTenant } from '../management/policy.js'
import { maskEmail, maskPhone } from '../user-list/mask.js'
import { findDictionary } from './dictionaries.js'
import { createUnits } from './units.js'
import { createUserCommands } from './user-commands.js'
import { createUserForm } from './user-form.js'
import { createUserRoles } from './user-roles.js'

declare module 'fastify' {
  interface FastifyInstance {
    compat: {
      userForm: ReturnType<typeof createUserForm>
      userCommands: ReturnType<typeof createUserCommands>
      userRoles: ReturnType<typeof createUserRoles>
      units: ReturnType<typeof createUnits>
      findDictionary: typeof findDictionary
    }
  }
}

const seesAllTenants = (caller: SessionOwner): boolean =>
  visibleTenant({ caller, address: '', userAgent: '' }) === undefined

/** What the routes for an existing front end (`routes/compat/`) need beside the other features. */
export default fp(
  async (app) => {
    const { db, management } = app
    app.decorate('compat', {
      userForm: createUserForm({ db, management, masks: { phone: maskPhone, email: maskEmail } }),
      userCommands: createUserCommands(management),
      userRoles: createUserRoles(db, management),
      units: createUnits(db, seesAllTenants),
      findDictionary,
    })
  },
  { name: 'compat', dependencies: ['database', 'management', 'user-list'] },
)
