// First, so that an older Node.js says what is wrong instead of ending in the middle of what follows.
import './lib/require-node.js'
import type { IncomingMessage, Server } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autoload from '@fastify/autoload'
import type { FastifyHttpOptions, FastifyPluginAsync } from 'fastify'
import { errorInLog } from './lib/error-in-log.js'
import { markRequestLogger, requestIdMixin, requestIdOf } from './lib/request-id.js'
import { cleanForwardedFor, trustedProxies } from './lib/trusted-proxies.js'
import { machineClock, type Clock } from './lib/clock.js'
import { openInstallation as open, type Installation } from './plugins/config/installation.js'
import type { DatabaseOptions } from './plugins/database.js'
import { answersBeforeRouting } from './plugins/http/errors/before-routing.js'
import type { LoginOptions } from './plugins/login/index.js'
import type { SmsOptions } from './plugins/sms/index.js'
import type { StoreOptions } from './plugins/store.js'
import { checkAdminPassword, type FirstStartOptions } from './plugins/first-start/index.js'
import type { Settings } from './schemas/settings.js'

export { callerOf } from './lib/caller-of.js'
export { covers, coversAll, type Permission } from './lib/permissions.js'
export type { Installation }
export type { Access } from './plugins/http/access/admission.js'
export { guardRoutes } from './plugins/http/access/host-routes.js'
export type { HostLoginMethod } from './plugins/login/host-methods.js'
export type { SmsSender, TextMessage } from './plugins/sms/senders.js'
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

const here = dirname(fileURLToPath(import.meta.url))

/**
 * The whole service as one plugin. In an app of yours, give it a prefix, and give that app `serverOptions`:
 *
 *     app.register(rollcall, { prefix: '/iam', installation })
 */
const rollcall: FastifyPluginAsync<RollcallOptions> = async (app, options) => {
  const installation = options.installation ?? openInstallation(process.env, { create: true })
  const { clock, onFirstStart, onFatal, prepare, loginMethods, sendSms, store, answering = true } = options
  const plugins = join(here, 'plugins')
  await app.register(autoload, {
    dir: plugins,
    maxDepth: 1,
    ignorePattern: /^http$/,
    options: { installation, clock, onFirstStart, onFatal, prepare, loginMethods, sendSms, store, answering },
  })
  if (!answering) return
  await app.register(autoload, { dir: join(plugins, 'http'), maxDepth: 1 })
  const routes = join(here, 'routes')
  await app.register(autoload, { dir: routes, ignorePattern: /^compat$/ })
  if (!installation.settings.compat.enabled) return
  // These files name whole paths: they are those of another back end.
  await app.register(autoload, { dir: join(routes, 'compat'), dirNameRoutePrefix: false })
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
