import { setTimeout } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { OpenError, RedisError } from '../errors.js'
import type { Store } from '../repositories/store.js'
import { readRedisAddress } from './address.js'
import { createClient, reconnect } from './client.js'
import { checkRedis, type RedisFacts } from './server-check.js'
import { createRedisStore } from './store.js'

const names = { what: 'Redis', setting: 'REDIS_URL (redisUrl)' }
const timedOut = 'Command timed out'
/** Sentinel is asked again and again; a start waits this long. Milliseconds. */
const patience = 5000

const inTime = async (work: Promise<void>): Promise<void> => {
  const ended = new AbortController()
  const late = setTimeout(patience, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`no answer in ${patience / 1000} seconds`)
  })
  await Promise.race([work, late]).finally(() => ended.abort())
}

/** For errors of the server, what it has refused: a command that it does not know, or that the user may not use. */
const withCommand = (error: unknown, message: string): string => {
  const { name } = (error as { command?: { name?: string } }).command ?? {}
  return (error as Error).name === 'ReplyError' && name !== undefined ? `${message} (${name.toUpperCase()})` : message
}

/** Redis, for short-lived state. */
export interface RedisConnection {
  /** Without user and password. */
  shown: string
  /** Connects. Throws an `OpenError` when it cannot, or when the server is too old. */
  open: () => Promise<RedisFacts>
  /** A store for one installation: several can share a Redis without seeing entries of each other. */
  createStore: (installation: string, now: () => number) => Store
  close: () => void
}

/** Redis at `url` (see `redisUrl` in the configuration). Connects when `open` is called, or at the first command. */
export const openRedis = (url: string): RedisConnection => {
  let shown = 'redis://…'
  let client: Redis | Cluster
  try {
    const address = readRedisAddress(url)
    shown = address.shown
    client = createClient(address)
  } catch (cause) {
    throw new OpenError(shown, cause as Error, names)
  }

  /** Why the connection was lost: the errors of later commands only say that there is none. */
  let reason = ''
  client.on('error', (error: Error) => (reason = error.message))
  client.on('ready', () => (reason = ''))
  const reasonOf = (error: unknown): string => {
    const { message, name } = error as Error
    if (message === timedOut) reconnect(client)
    return name === 'ReplyError' || message === timedOut || reason === '' ? message : reason
  }

  const connect = async (): Promise<RedisFacts> => {
    try {
      await inTime(client.connect())
      const store = createRedisStore((work) => work(client), 'rollcall:{start}:', Date.now)
      return await checkRedis(client, store, AbortSignal.timeout(patience))
    } catch (error) {
      const cause = new Error(withCommand(error, reasonOf(error)))
      // Otherwise it would try again for ever.
      client.disconnect()
      throw new OpenError(shown, cause, names)
    }
  }
  let opened: Promise<RedisFacts> | undefined
  const open = () => (opened ??= connect())

  const run = async <T>(work: (client: Redis | Cluster) => Promise<T>): Promise<T> => {
    await open()
    try {
      return await work(client)
    } catch (error) {
      // The errors of the client contain the commands, and with them codes and the password.
      throw new RedisError(reasonOf(error))
    }
  }

  return {
    shown,
    open,
    // The braces put all keys on one server of a Cluster, where scripts can use several of them.
    createStore: (installation, now) => createRedisStore(run, `rollcall:{${installation}}:`, now),
    close: () => client.disconnect(),
  }
}
