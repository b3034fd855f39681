// First, so that an older Node.js says what is wrong instead of ending in the middle of what follows.
import './lib/require-node.js'
import type { IncomingMessage, Server } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autoload from '@fastify/autoload'
import type { FastifyHttpOptions, FastifyPluginAsync, FastifyPluginCallback } from 'fastify'
import { errorInLog } from './lib/error-in-log.js'
import { markRequestLogger, requestIdMixin, requestIdOf } from './lib/request-id.js'
import { cleanForwardedFor, trustedProxies } from './lib/trusted-proxies.js'
import { machineClock, type Clock } from './lib/clock.js'
import accounts from './plugins/accounts/index.js'
import attempts from './plugins/attempts/index.js'
import audit from './plugins/audit/index.js'
import captcha from './plugins/captcha/index.js'
import clock from './plugins/clock.js'
import config from './plugins/config/index.js'
import database, { type DatabaseOptions } from './plugins/database.js'
import devices from './plugins/devices/index.js'
import dummyHashes from './plugins/dummy-hashes.js'
import encryption from './plugins/encryption/index.js'
import federation from './plugins/federation/index.js'
import firstStart, { checkAdminPassword, type FirstStartOptions } from './plugins/first-start/index.js'
import housekeeping from './plugins/housekeeping.js'
import http from './plugins/http/index.js'
import linkedIdentities from './plugins/linked-identities/index.js'
import lists from './plugins/lists/index.js'
import login, { type LoginOptions } from './plugins/login/index.js'
import loginLog from './plugins/login-log/index.js'
import mail from './plugins/mail/index.js'
import management from './plugins/management/index.js'
import memoryRelease from './plugins/memory-release.js'
import notices from './plugins/notices/index.js'
import oneTimeCodes from './plugins/one-time-codes/index.js'
import passwords from './plugins/passwords/index.js'
import readiness from './plugins/readiness.js'
import resourceServers from './plugins/resource-servers/index.js'
import selfService from './plugins/self-service/index.js'
import sessions from './plugins/sessions/index.js'
import sharedSettings from './plugins/shared-settings.js'
import sms, { type SmsOptions } from './plugins/sms/index.js'
import store, { type StoreOptions } from './plugins/store.js'
import timeZone from './plugins/time-zone.js'
import tokens from './plugins/tokens/index.js'
import trustedTime from './plugins/trusted-time/index.js'
import userFiles from './plugins/user-files/index.js'
import userList from './plugins/user-list/index.js'
import { openInstallation as open, type Installation } from './plugins/config/installation.js'
import { answersBeforeRouting } from './plugins/http/errors/before-routing.js'
import type { Settings } from './schemas/settings.js'

export { callerOf } from './lib/caller-of.js'
export { covers, coversAll, type Permission } from './lib/permissions.js'
export type { Installation }
export type { Access } from './plugins/http/access/admission.js'
export { guardRoutes } from './plugins/http/access/host-routes.js'
export type { HostLoginMethod } from './plugins/login/host-methods.js'
export type { SmsSender, TextMessage } from './plugins/sms/message.js'
export type { Counter, Entry, Store } from './db/repositories/store.js'
export { ConfigurationError } from './plugins/config/settings.js'

/**
 * Reads and checks the configuration in the environment and the data directory; with `create`, a first start creates the
 * directory. Throws an error whose message lists every fault with its place; then nothing has been created.
 */
export const openInstallation = (variables: NodeJS.ProcessEnv, options: { create: boolean }): Installation =>
  open(variables, { ...options, checkAdminPassword })

export interface RollcallOptions extends FirstStartOptions, DatabaseOptions, LoginOptions, SmsOptions, StoreOptions {
  /** The checked configuration; absent means that of the environment and `DATA_DIR`. */
  installation?: Installation
  /** Absent means the clock of the machine. */
  clock?: Clock
  /** False leaves out what answers requests: for commands, which start in half the time without it. */
  answering?: boolean
}

type FeatureOptions = Omit<RollcallOptions, 'prefix' | 'answering'> & { installation: Installation; answering: boolean }

/** All parts of the service but those that answer requests. Each finds what it needs above itself. */
const features: (FastifyPluginAsync<FeatureOptions> | FastifyPluginCallback<FeatureOptions>)[] = [
  config,
  clock,
  timeZone,
  database,
  encryption,
  store,
  lists,

  attempts,

  audit,
  loginLog,
  mail,
  sms,
  notices,

  passwords,
  dummyHashes,

  tokens,
  sessions,

  accounts,
  firstStart,

  captcha,
  devices,
  federation,
  oneTimeCodes,
  login,

  linkedIdentities,
  userList,
  management,
  selfService,
  userFiles,

  resourceServers,

  trustedTime,
  housekeeping,
  sharedSettings,
  memoryRelease,
  readiness,
]

const here = dirname(fileURLToPath(import.meta.url))

/**
 * The whole service as one plugin. In an app of yours, give it a prefix, and give that app `serverOptions`:
 *
 *     app.register(rollcall, { prefix: '/iam', installation })
 */
const rollcall: FastifyPluginAsync<RollcallOptions> = async (app, options) => {
  const installation = options.installation ?? openInstallation(process.env, { create: true })
  const { answering = true, ...others } = options
  for (const feature of features) await app.register(feature, { ...others, installation, answering })
  if (!answering) return
  await app.register(http)
  if (installation.settings.compat.enabled) await app.register(import('./compat/index.js'))
  await app.register(autoload, { dir: join(here, 'routes') })
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
