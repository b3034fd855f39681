import fp from 'fastify-plugin'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import { visibleTenant } from '../management/policy.js'
import { findDictionary } from './dictionaries.js'
import { createIdentities } from './identities.js'
import { createLoginLog } from './login-log.js'
import { createOnline } from './online.js'
import { menuFor } from './menu.js'
import { createProfileForm } from './profile.js'
import { createRolePages } from './roles.js'
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
      roles: ReturnType<typeof createRolePages>
      profile: ReturnType<typeof createProfileForm>
      identities: ReturnType<typeof createIdentities>
      online: ReturnType<typeof createOnline>
      loginLog: ReturnType<typeof createLoginLog>
      menuFor: typeof menuFor
      findDictionary: typeof findDictionary
    }
  }
}

const seesAllTenants = (caller: SessionOwner): boolean =>
  visibleTenant({ caller, address: '', userAgent: '' }) === undefined

/** What the routes for an existing front end (`routes/compat/`) need beside the other features. */
export default fp(
  async (app) => {
    const { clock, db, federation, linkedIdentities, loginLog, management, selfService, timeZone } = app
    const { enabled } = app.installation.settings.compat
    app.decorate('compat', {
      userForm: createUserForm({ management }),
      userCommands: createUserCommands(management),
      userRoles: createUserRoles(db, management),
      units: createUnits(db, seesAllTenants),
      roles: createRolePages(management, enabled),
      profile: createProfileForm({ selfService }),
      identities: createIdentities({ federation, linkedIdentities, enabled }),
      online: createOnline({ db, management, clock, timeZone }),
      loginLog: createLoginLog(loginLog, timeZone),
      menuFor,
      findDictionary,
    })
  },
  {
    name: 'compat',
    dependencies: [
      'clock',
      'login-log',
      'config',
      'database',
      'federation',
      'linked-identities',
      'management',
      'self-service',
      'time-zone',
      'user-list',
    ],
  },
)
