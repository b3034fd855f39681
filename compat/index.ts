import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createAvatars } from './avatar/avatars.js'
import { createBanMessage } from './ban-message.js'
import { refuseEncrypted, speakToPeople } from './dialogs.js'
import { createDictionaries } from './dictionaries.js'
import { firstAnswers } from './first-answers.js'
import { createIdentities } from './identities.js'
import { createLoginRows } from './login-log.js'
import { createOnline } from './online.js'
import { menuFor } from './menu.js'
import { createProfileForm } from './profile.js'
import { enumerations } from './schemas/enumerations.js'
import { components } from './schemas/index.js'
import { createSharedPaths } from './shared-paths.js'
import { readUnit } from './unit-filter.js'
import { createUnits } from './units.js'
import { createUserCommands } from './user-commands.js'
import { createUserForm } from './user-form.js'
import { createUserRelations } from './user-relations.js'
import { createRoleForms } from './user-roles.js'

const createCompat = (app: FastifyInstance) => {
  const { clock, db, federation, linkedIdentities, loginLog, management, selfService, timeZone } = app
  return {
    avatars: createAvatars(),
    userForm: createUserForm(management),
    userCommands: createUserCommands(management),
    userRelations: createUserRelations(management),
    userRoles: createRoleForms(db, management),
    units: createUnits(db),
    profile: createProfileForm(selfService),
    identities: createIdentities({ federation, linkedIdentities }),
    online: createOnline({ db, management, clock, timeZone }),
    loginLog: createLoginRows(loginLog, timeZone),
    menuFor,
    findDictionary: createDictionaries(() => ({
      authTypes: app.login.offered().map(({ name }) => name),
      userClients: Object.keys(app.installation.settings.clients),
    })),
    readUnit,
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    compat: ReturnType<typeof createCompat>
  }
}

/** Of all routes of this folder: it puts them into a document of their own. */
const tag = 'compat'

/** The requests of a front end that was written for another back end, with a document of their own. */
export default fp(
  async (app) => {
    app.decorate('compat', createCompat(app))
    app.addHook('onClose', () => app.compat.avatars.close())
    app.addComponents(components)
    await app.addDocument({
      name: 'compat',
      title: 'Rollcall: existing front end',
      description:
        'Requests of a front end that was written for another back end. Use those of `/openapi.json` in anything new.',
      tags: [{ name: tag, description: 'Requests of an existing front end (`compat.enabled`)' }],
      enumerations,
      firstAnswers,
    })
    const sharedPaths = createSharedPaths(app.compat.identities, createBanMessage(app.clock, app.timeZone))
    app.addHook('onRoute', (route) => {
      const listOf = <Hook>(hooks: Hook | Hook[] | undefined): Hook[] => [hooks ?? []].flat() as Hook[]
      if (route.schema?.tags?.includes(tag)) {
        route.preValidation = [...listOf(route.preValidation), refuseEncrypted]
        route.preSerialization = [...listOf(route.preSerialization), speakToPeople]
      }
      const shared = sharedPaths[route.schema?.operationId ?? '']
      const compile = app.validatorCompiler
      if (!shared || !compile) return
      const { rename, input, translate, answer } = shared
      // Each of these routes validates one part of a request.
      if (input) route.validatorCompiler = (part) => compile({ ...part, schema: input })
      if (rename) route.preValidation = [...listOf(route.preValidation), rename]
      if (translate) route.preHandler = [...listOf(route.preHandler), translate]
      if (answer) route.preSerialization = [...listOf(route.preSerialization), answer]
    })
    await app.register(autoload, { dir: join(import.meta.dirname, 'routes') })
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
