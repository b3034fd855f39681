import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress } from './address.js'
import { scripts } from './scripts.js'

/** Milliseconds. */
const limits = { connect: 2000, command: 1000, close: 100, longestPause: 1000 }

const retryStrategy = (tries: number) => Math.min(50 * tries, limits.longestPause)

/**
 * Waiting is bounded, and a command is sent once: whether a lost one was executed is unknown, and to execute a command
 * twice would count a failure twice or hand out a code twice.
 */
const common = {
  commandTimeout: limits.command,
  connectTimeout: limits.connect,
  disconnectTimeout: limits.close,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // The client would ask for INFO, which a server may refuse, before it takes any command.
  enableReadyCheck: false,
  // After a failover the old server takes no writes: true connects anew and sends nothing again.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions

const createCluster = ({ hosts, options }: RedisAddress): Cluster =>
  new Cluster(hosts, {
    scripts,
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryStrategy,
    // No command is sent again after a lost connection, and none waits until the Cluster is well: the caller gets the error.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: limits.command,
    redisOptions: { ...common, ...options },
    // The names in a certificate are host names, which the answer of a Cluster replaces by addresses.
    ...(options.tls ? { dnsLookup: (address, callback) => callback(null, address) } : {}),
  })

const createServer = ({ hosts, name, options }: RedisAddress): Redis => {
  const [first] = hosts
  const where: RedisOptions =
    name === undefined
      ? { host: first?.host ?? '', port: first?.port ?? 0 }
      : {
          sentinels: hosts,
          name,
          // The client gives up for ever when this returns nothing.
          sentinelRetryStrategy: retryStrategy,
          sentinelCommandTimeout: limits.command,
          // The first is for the server that Sentinel names, the second for Sentinel itself.
          enableTLSForSentinelMode: options.tls !== undefined,
          ...(options.tls ? { sentinelTLS: options.tls } : {}),
        }
  return new Redis({
    scripts,
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy,
    ...common,
    ...where,
    ...options,
  })
}

/** A client that is not connected yet, and connects again by itself after a failure. */
export const createClient = (address: RedisAddress): Redis | Cluster =>
  address.kind === 'cluster' ? createCluster(address) : createServer(address)

/**
 * Leaves connections on which no answer came in time and connects anew: until Redis answers there, commands fail at once
 * instead of waiting, too.
 */
export const reconnect = (client: Redis | Cluster): void => {
  for (const one of client instanceof Cluster ? client.nodes() : [client]) one.disconnect(true)
}
