import fp from 'fastify-plugin'
import { findDictionary } from './dictionaries.js'
import { firstAnswers } from './first-answers.js'
import { createIdentities } from './identities.js'
import { createLoginRows } from './login-log.js'
import { createOnline } from './online.js'
import { menuFor } from './menu.js'
import { createProfileForm } from './profile.js'
import choices from './routes/choices.js'
import excel from './routes/excel.js'
import loginLogRoutes from './routes/login-log.js'
import onlineRoutes from './routes/online.js'
import ownAccount from './routes/own-account.js'
import userCommands from './routes/user-commands.js'
import userForm from './routes/user-form.js'
import userRoles from './routes/user-roles.js'
import { enumerations } from './schemas/enumerations.js'
import { components } from './schemas/index.js'
import { createSharedPaths } from './shared-paths.js'
import { readUnit } from './unit-filter.js'
import { createUnits } from './units.js'
import { createUserCommands } from './user-commands.js'
import { createUserForm } from './user-form.js'
import { createRoleForms } from './user-roles.js'

declare module 'fastify' {
  interface FastifyInstance {
    compat: {
      userForm: ReturnType<typeof createUserForm>
      userCommands: ReturnType<typeof createUserCommands>
      userRoles: ReturnType<typeof createRoleForms>
      units: ReturnType<typeof createUnits>
      profile: ReturnType<typeof createProfileForm>
      identities: ReturnType<typeof createIdentities>
      online: ReturnType<typeof createOnline>
      loginLog: ReturnType<typeof createLoginRows>
      menuFor: typeof menuFor
      findDictionary: typeof findDictionary
      readUnit: typeof readUnit
    }
  }
}

const routes = [choices, excel, loginLogRoutes, onlineRoutes, ownAccount, userCommands, userForm, userRoles]

/** The requests of a front end that was written for another back end, with a document of their own. */
export default fp(
  async (app) => {
    const { clock, db, federation, linkedIdentities, loginLog, management, selfService, timeZone } = app
    const identities = createIdentities({ federation, linkedIdentities })
    app.decorate('compat', {
      userForm: createUserForm({ management }),
      userCommands: createUserCommands(management),
      userRoles: createRoleForms(db, management),
      units: createUnits(db),
      profile: createProfileForm({ selfService }),
      identities,
      online: createOnline({ db, management, clock, timeZone }),
      loginLog: createLoginRows(loginLog, timeZone),
      menuFor,
      findDictionary,
      readUnit,
    })
    app.addComponents(components)
    await app.addDocument({
      name: 'compat',
      title: 'Rollcall: existing front end',
      description:
        'Requests of a front end that was written for another back end. Use those of `/openapi.json` in anything new.',
      tags: [{ name: 'compat', description: 'Requests of an existing front end (`compat.enabled`)' }],
      enumerations,
      firstAnswers,
    })
    const sharedPaths = createSharedPaths(identities)
    app.addHook('onRoute', (route) => {
      const shared = sharedPaths[route.schema?.operationId ?? '']
      const compile = app.validatorCompiler
      if (!shared || !compile) return
      const { input, translate, answer } = shared
      // Each of these routes validates one part of a request.
      route.validatorCompiler = (part) => compile({ ...part, schema: input })
      route.preHandler = [...[route.preHandler ?? []].flat(), translate]
      if (answer) route.preSerialization = [...[route.preSerialization ?? []].flat(), answer]
    })
    for (const route of routes) await app.register(route)
  },
  {
    name: 'compat',
    dependencies: [
      'http/documentation',
      'http/envelope',
      'http/validation',
      'identity/federation',
      'people/files',
      'people/identities',
      'people/manage',
      'people/own',
      'record/login-log',
      'run/clock',
      'run/database',
      'run/time-zone',
    ],
  },
)
