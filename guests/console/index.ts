import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { Language } from '../../schemas/problems.js'
import { isAdministration } from '../../plugins/http/access/administers.js'
import { createAvatars } from './avatar/avatars.js'
import { createSpeak, refuseEncrypted } from './dialogs.js'
import { createDictionaries } from './dictionaries.js'
import { firstAnswers } from './first-answers.js'
import { createHomePage } from './home-page.js'
import { createIdentities } from './identities.js'
import { createLoginRows } from './login-log.js'
import { createOnline } from './online.js'
import { menuFor } from './menu.js'
import { createProfileForm } from './profile.js'
import { createSignInMessage } from './sign-in-message.js'
import { enumerations } from './schemas/enumerations.js'
import { createSecondFactor } from './second-factor.js'
import { createSharedPaths, speakOn } from './shared-paths.js'
import { readUnit } from './unit-filter.js'
import { createUnits } from './units.js'
import { createUserCommands } from './user-commands.js'
import { createUserForm } from './user-form.js'
import { createUserRelations } from './user-relations.js'
import { createRoleForms } from './user-roles.js'

const createCompat = (app: FastifyInstance) => {
  const { settings } = app.installation
  const { clock, db, federation, linkedIdentities, loginLog, management, selfService, timeZone } = app
  const secondFactor = createSecondFactor({ settings, served: app.pages.served })
  return {
    secondFactor,
    avatars: createAvatars(),
    userForm: createUserForm(management, settings.compat.rolesOfNewUsers),
    userCommands: createUserCommands(management),
    userRelations: createUserRelations(management),
    userRoles: createRoleForms(db, management),
    units: createUnits(db),
    profile: createProfileForm(selfService),
    identities: createIdentities({ federation, linkedIdentities }),
    online: createOnline({ db, management, clock, timeZone }),
    loginLog: createLoginRows(loginLog, timeZone),
    /** No page opens for somebody who lacks the second factor that administration asks for. */
    menuOf: (caller: SessionOwner, language: Language) =>
      secondFactor.lacksFactor(caller) ? [] : menuFor(caller.grants.permissions, language),
    findDictionary: createDictionaries(() => ({
      authTypes: app.login.all().map(({ name }) => name),
      userClients: Object.keys(settings.clients),
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
    await app.addDocument({
      name: 'compat',
      title: 'Rollcall: existing front end',
      description:
        'Requests of a front end that was written for another back end. Use those of `/openapi.json` in anything new.',
      tags: [{ name: tag, description: 'Requests of an existing front end (`compat.enabled`)' }],
      enumerations,
      firstAnswers,
    })
    const speak = createSpeak(app.compat.secondFactor, ({ routeOptions: { url = '', config } }) =>
      isAdministration({ url, config }, app.prefix),
    )
    const sharedPaths = createSharedPaths(
      app.compat.identities,
      createSignInMessage({ clock: app.clock, timeZone: app.timeZone, speak }),
    )
    const home = createHomePage(app.clock)
    app.addHook('onRoute', (route) => {
      const listOf = <Hook>(hooks: Hook | Hook[] | undefined): Hook[] => [hooks ?? []].flat() as Hook[]
      if (route.schema?.tags?.includes(tag)) {
        route.preValidation = [...listOf(route.preValidation), refuseEncrypted]
        route.preSerialization = [...listOf(route.preSerialization), speakOn(speak, { speaksToAll: true }, home)]
      }
      const shared = sharedPaths[route.schema?.operationId ?? '']
      const compile = app.validatorCompiler
      if (!shared || !compile) return
      const { rename, input, translate, answer } = shared
      // Each of these routes validates one part of a request.
      if (input) route.validatorCompiler = (part) => compile({ ...part, schema: input })
      if (rename) route.preValidation = [...listOf(route.preValidation), rename]
      if (translate) route.preHandler = [...listOf(route.preHandler), translate]
      const answers = answer ? [answer] : []
      route.preSerialization = [...listOf(route.preSerialization), ...answers, speakOn(speak, shared, home)]
    })
    await app.register(autoload, { dir: join(import.meta.dirname, 'routes') })
  },
  {
    name: 'compat',
    dependencies: [
      'http/documentation',
      'http/envelope',
      'http/pages',
      'http/validation',
      'identity/federation',
      'identity/login',
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
