import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import { success, type Language, type Reason } from '../../schemas/problems.js'
import { isAdministration } from '../../plugins/http/access/administers.js'
import type { OperationsByFirstAnswer } from '../../plugins/http/documentation/first-answers.js'
import type { Clock } from '../../lib/clock.js'
import { languageOf } from '../../lib/language.js'
import { createAvatars } from './avatar/avatars.js'
import { createSpeak, refuseEncrypted } from './dialogs.js'
import { createDictionaries } from './dictionaries.js'
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
import { pageOfRequest } from './console-request.js'
import { emptyPage } from './empty-page.js'

const homePage = '/home'

/** The lists of which the home page shows the beginning to everybody, by the `operationId`. */
const listsAtHome: readonly string[] = ['compatGetOnlinePage', 'compatGetLoginLogPage', 'getUserPage']

/** What keeps somebody from a list. Before a forced change of the password the home page does not open. */
const refusalsAtHome: readonly (Reason | undefined)[] = ['permission_denied', 'step_up_required']

/** A number of the query, which nobody has validated. */
const numberOf = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/**
 * The home page asks for three lists, whoever is signed in, and opens a dialog for each refusal. Answers an empty page there to people
 * who may not see the list; everywhere else they are refused.
 */
const createHomePage =
  (clock: Clock) =>
  (request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown => {
    if (reply.statusCode !== 403 || pageOfRequest(request) !== homePage) return payload
    if (!listsAtHome.includes(request.routeOptions.schema?.operationId ?? '')) return payload
    if (!refusalsAtHome.includes((payload as { data: { reason?: Reason } | null }).data?.reason)) return payload
    const { pageNum, pageSize } = request.query as Record<string, unknown>
    const data = emptyPage({ pageNum: numberOf(pageNum), pageSize: numberOf(pageSize) })
    void reply.code(200).removeHeader('www-authenticate')
    return { code: 200, message: success[languageOf(request)], data, timestamp: clock.now() }
  }

/** The operations whose example a new installation refuses, by why. */
const firstAnswers: OperationsByFirstAnswer = {
  noIdentity: ['compatUnlinkPlatform'],
  noUser: [
    ...['compatBan', 'compatUnban', 'compatSetUserStatus', 'compatUntieUser', 'compatSetUserPassword'],
    ...['compatDeleteUser', 'compatGetUser', 'compatEditUser', 'compatGetOrgBindings', 'compatGetOrgRoles'],
    ...['compatSetOrgRoles', 'compatGetUserTenants', 'compatSetUserTenants', 'compatSetUserUnits'],
    'compatSetTenantOfUsers',
  ],
  noUsers: ['compatDeleteUsers'],
  noSession: ['compatKickOut'],
}

const createCompat = (app: FastifyInstance) => {
  const { settings } = app.installation
  const { db, loginLog, management, selfService, timeZone } = app
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
    identities: createIdentities(app),
    online: createOnline(app),
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
    const sharedPaths = createSharedPaths(app.compat.identities, createSignInMessage(app, speak))
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
  { name: 'compat' },
)
