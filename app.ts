// First, so that an older Node.js says what is wrong instead of ending in the middle of what follows.
import './lib/require-node.js'
// Before what reads the lists of the house.
import './guests/joined.js'
import type { IncomingMessage, Server } from 'node:http'
import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyHttpOptions, FastifyPluginAsync, FastifyPluginCallback } from 'fastify'
import fp from 'fastify-plugin'
import { errorInLog } from './lib/error-in-log.js'
import { markRequestLogger, requestIdMixin, requestIdOf } from './lib/request-id.js'
import { cleanForwardedFor, trustedProxies } from './lib/trusted-proxies.js'
import { machineClock, type Clock } from './lib/clock.js'
import { guests } from './guests/index.js'
import housekeeping from './plugins/beside/housekeeping.js'
import sharedSettings from './plugins/beside/shared-settings.js'
import entry from './plugins/entry/index.js'
import http from './plugins/http/index.js'
import type { DocumentationOptions } from './plugins/http/documentation/index.js'
import pages, { type PagesOptions } from './plugins/http/pages/index.js'
import captcha from './plugins/identity/captcha/index.js'
import codes from './plugins/identity/codes/index.js'
import contacts from './plugins/identity/contacts/index.js'
import devices from './plugins/identity/devices/index.js'
import dummyHashes from './plugins/identity/dummy-hashes.js'
import federation from './plugins/identity/federation/index.js'
import login, { type LoginOptions } from './plugins/identity/login/index.js'
import passwords from './plugins/identity/passwords/index.js'
import secondFactor from './plugins/identity/second-factor/index.js'
import factors from './plugins/people/factors/index.js'
import files from './plugins/people/files/index.js'
import firstStart, { checkAdminPassword, type FirstStartOptions } from './plugins/people/first-start/index.js'
import identities from './plugins/people/identities/index.js'
import list from './plugins/people/list/index.js'
import manage from './plugins/people/manage/index.js'
import overview from './plugins/people/overview/index.js'
import own from './plugins/people/own/index.js'
import type { Administration } from './plugins/people/write/administration.js'
import write from './plugins/people/write/index.js'
import audit from './plugins/record/audit/index.js'
import deliveries from './plugins/record/deliveries/index.js'
import loginLog from './plugins/record/login-log/index.js'
import mail from './plugins/record/mail/index.js'
import notices from './plugins/record/notices/index.js'
import sms, { type SmsOptions } from './plugins/record/sms/index.js'
import clock from './plugins/run/clock.js'
import config from './plugins/run/config/index.js'
import database, { type DatabaseOptions } from './plugins/run/database.js'
import encryption from './plugins/run/encryption/index.js'
import lists from './plugins/run/lists/index.js'
import readiness from './plugins/run/readiness.js'
import store, { type StoreOptions } from './plugins/run/store.js'
import timeZone from './plugins/run/time-zone.js'
import resourceServers from './plugins/sessions/resource-servers/index.js'
import sessions from './plugins/sessions/sessions/index.js'
import tokens from './plugins/sessions/tokens/index.js'
import attempts from './plugins/throttle/attempts/index.js'
import { openInstallation as open, type Installation } from './plugins/run/config/installation.js'
import { createSettingsReader } from './plugins/run/config/settings.js'
import { answersBeforeRouting } from './plugins/http/errors/before-routing.js'
import type { Settings } from './schemas/settings.js'

export { callerOf } from './lib/caller-of.js'
export { covers, coversAll, type Permission } from './lib/permissions.js'
export type { Installation }
export type { Access } from './plugins/http/access/admission.js'
export { guardRoutes } from './plugins/http/access/host-routes.js'
export type { HostLoginMethod } from './plugins/identity/login/host-methods.js'
export type { SmsSender, TextMessage } from './plugins/record/sms/message.js'
export type { Counter, Entry, Store } from './db/repositories/store.js'
export { ConfigurationError } from './plugins/run/config/settings.js'

/** Reads the configuration of the house and of its guests. */
export const settingsReader = createSettingsReader(
  Object.assign({}, ...(await Promise.all(guests.map(async ({ settings }) => settings?.())))) as Record<
    string,
    TSchema
  >,
  guests.flatMap(({ faultsOf }) => faultsOf ?? []),
)

/**
 * Reads and checks the configuration in the environment and the data directory; with `create`, a first start creates the
 * directory. Throws an error whose message lists every fault with its place; then nothing has been created.
 */
export const openInstallation = (variables: NodeJS.ProcessEnv, options: { create: boolean }): Installation =>
  open(variables, { ...options, reader: settingsReader, checkAdminPassword })

export interface RollcallOptions
  extends
    FirstStartOptions,
    DatabaseOptions,
    DocumentationOptions,
    LoginOptions,
    Omit<PagesOptions, 'guests'>,
    SmsOptions,
    StoreOptions {
  /** The checked configuration; absent means that of the environment and `DATA_DIR`. */
  installation?: Installation
  /** Absent means the clock of the machine. */
  clock?: Clock
  /** False leaves out what answers requests: for commands, which start in half the time without it. */
  answering?: boolean
}

type AccountWrites = Pick<Administration, 'writes'> & { addUser: Administration['addFromPlatform'] }

type FeatureOptions = Omit<RollcallOptions, 'prefix' | 'answering'> & {
  installation: Installation
  answering: boolean
}

type Part<Options extends object> = FastifyPluginAsync<Options> | FastifyPluginCallback<Options>

/** Gives a part of `entry/` or `identity/` the functions that write users: those are of `people/`, a wing above it. */
const withWrites = (part: Part<FeatureOptions & AccountWrites>) =>
  fp<FeatureOptions>(async (app, options) => {
    const { writes, addFromPlatform: addUser } = app.accounts
    await app.register(part, { ...options, writes, addUser })
  })

/**
 * All parts of the service but those that answer requests, in the order in which they start: each finds what it needs above itself, and
 * ends after what stands below it.
 */
const features: Part<FeatureOptions>[] = [
  // What the process runs on.
  config,
  clock,
  timeZone,
  database,
  encryption,
  store,
  lists,
  // Writes down, tells, counts.
  audit,
  loginLog,
  deliveries,
  mail,
  sms,
  notices,
  attempts,
  // What a signed-in user holds.
  tokens,
  sessions,
  // Writes users; without one nobody could sign in.
  contacts,
  passwords,
  dummyHashes,
  secondFactor,
  write,
  firstStart,
  // Proves who somebody is.
  captcha,
  devices,
  withWrites(federation),
  codes,
  withWrites(login),
  // From a proof to a session.
  withWrites(entry),
  // Decides who may do what with users.
  identities,
  list,
  factors,
  manage,
  overview,
  own,
  files,
  // Tells other services about tokens.
  resourceServers,
  // Runs beside the requests.
  housekeeping,
  sharedSettings,
  readiness,
]

/**
 * The whole service as one plugin. In an app of yours, give it a prefix, and give that app `serverOptions`:
 *
 *     app.register(rollcall, { prefix: '/iam', installation })
 */
const rollcall: FastifyPluginAsync<RollcallOptions> = async (app, options) => {
  const installation = options.installation ?? openInstallation(process.env, { create: true })
  const { answering = true, ...others } = options
  for (const feature of features) await app.register(feature, { ...others, installation, answering })
  const present = guests.filter(({ isOn }) => isOn(installation.settings))
  for (const { service } of present) if (service) await app.register(service())
  if (!answering) return
  await app.register(http, { documentsAtStart: options.documentsAtStart })
  const withPages = present.filter(({ hasPages }) =>
    typeof hasPages === 'function' ? hasPages(installation.settings) : hasPages,
  )
  await app.register(pages, { ...others, guests: withPages.map(({ name }) => name) })
  for (const { components } of present) if (components) app.addComponents(await components())
  for (const { routes } of present) if (routes) await app.register(routes())
  await app.register(autoload, { dir: join(import.meta.dirname, 'routes') })
}

export default rollcall

/** Gives out ids of requests. Nothing is called earlier: what reads or logs the address of the caller finds the right one. */
const requestId = ({ trustProxy }: Settings) => {
  const isProxy = trustedProxies(trustProxy)
  return (request: IncomingMessage): string => {
    cleanForwardedFor(request, isProxy)
    return requestIdOf(request, isProxy)
  }
}

/**
 * Options for the Fastify server that carries the app: what a plugin cannot set for itself. `clock` is that of the
 * service; absent means the clock of the machine. `stream` receives the log lines; absent means standard output.
 */
export const serverOptions = (
  settings: Settings,
  clock = machineClock,
  stream?: { write: (line: string) => void },
): FastifyHttpOptions<Server> => ({
  logger: {
    ...(stream && { stream }),
    level: settings.logLevel,
    serializers: {
      // The query is left out: old clients send passwords in it.
      req: (request) => ({
        method: request.method,
        path: request.url.split('?')[0],
        address: request.ip,
      }),
      err: errorInLog,
    },
    mixin: requestIdMixin,
    redact: ['req.headers.authorization', 'password', '*.password', 'accessToken', '*.accessToken'],
  },
  // What logs nothing needs no logger of its own for each request.
  childLoggerFactory: (logger, bindings, options) =>
    settings.logLevel === 'silent' ? logger : markRequestLogger(logger.child(bindings, options)),
  genReqId: requestId(settings),
  trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
  // Some clients ask for //auth/login.
  routerOptions: { ignoreDuplicateSlashes: true },
  // While closing, what arrives on an open connection is still answered.
  return503OnClosing: false,
  requestTimeout: 30_000,
  // Closes a connection on which nothing moves, such as that of a client that does not read its answer.
  connectionTimeout: 120_000,
  // The start may migrate a large database, which takes its time.
  pluginTimeout: 0,
  ...answersBeforeRouting(clock),
})
