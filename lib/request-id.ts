import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { trustedProxies } from './trusted-proxies.js'

/** Nothing that ends a log line, a header or a quoted text; the length bounds what a request adds to each of its lines. */
const safeId = /^[\w.:=+/-]{1,128}$/

/** Id of the request that is being processed; undefined outside of requests. */
export const requestIds = new AsyncLocalStorage<string>()

/** The `X-Request-Id` of a trusted proxy if it is safe to log and to answer, otherwise a new id. */
export const requestIdOf = (
  { headers, socket }: IncomingMessage,
  isProxy: ReturnType<typeof trustedProxies>,
): string => {
  const given = headers['x-request-id']
  const isUsed = typeof given === 'string' && safeId.test(given) && isProxy(socket.remoteAddress ?? '')
  return isUsed ? given : randomUUID()
}

/** Marks loggers whose lines already have the request id, and the loggers that are made from them. */
const hasId = Symbol('has a request id')

export const markRequestLogger = <L extends object>(logger: L): L => Object.assign(logger, { [hasId]: true })

/**
 * Adds the request id to log lines of other loggers that are written while a request is processed, such as the line of a
 * sign-in.
 */
export const requestIdMixin = (_line: object, _level: number, logger: object): object => {
  const reqId = requestIds.getStore()
  return reqId === undefined || hasId in logger ? {} : { reqId }
}
