import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Redis, type Cluster } from 'ioredis'
import type { Store } from '../repositories/store.js'

/** The first version with GETDEL. */
const minVersion = { major: 6, minor: 2 }

export interface RedisFacts {
  /** Undefined where the server does not tell. */
  version: string | undefined
  /** What Redis does when its memory is full; undefined where it does not say so. */
  evictionPolicy: string | undefined
}

/** Milliseconds. */
const lifetime = 10_000
const untilLoaded = 50

const field = (info: string, name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]

/** Nothing needs INFO: a server may refuse it. */
const readFacts = async (client: Redis | Cluster): Promise<RedisFacts> => {
  const info = await client.info().catch((error: unknown) => {
    if ((error as Error).name === 'ReplyError') return ''
    throw error
  })
  return { version: field(info, 'redis_version'), evictionPolicy: field(info, 'maxmemory_policy') }
}

/** The client itself goes on with database 0 when the server refuses another one. */
const selectDatabase = async (client: Redis | Cluster): Promise<void> => {
  if (client instanceof Redis && client.options.db) await client.select(client.options.db)
}

/** Does each thing once that the service does with a store. */
const tryStore = async (store: Store): Promise<void> => {
  const key = `start-${randomUUID()}`
  await store.set(key, '', lifetime)
  await store.get(key)
  await store.getMany([key])
  await store.take(key)
  await store.increment(key, 1, lifetime)
  await store.prolong(key, 1, lifetime)
  await store.delete([key])
}

/** While it reads its file, a server refuses everything. */
const whenLoaded = async (work: () => Promise<void>, signal: AbortSignal): Promise<void> => {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (signal.aborted || !(error as Error).message.startsWith('LOADING')) throw error
      await setTimeout(untilLoaded)
    }
  }
}

/** Checks that the server can do what the service needs, and reads what is worth knowing. Throws when it cannot. */
export const checkRedis = async (client: Redis | Cluster, store: Store, signal: AbortSignal): Promise<RedisFacts> => {
  await whenLoaded(() => selectDatabase(client), signal)
  const facts = await readFacts(client)
  const [major = 0, minor = 0] = (facts.version ?? '').split('.').map(Number)
  if (facts.version && (major < minVersion.major || (major === minVersion.major && minor < minVersion.minor))) {
    throw new Error(`version ${minVersion.major}.${minVersion.minor} or newer is needed, and this is ${facts.version}`)
  }
  await whenLoaded(() => tryStore(store), signal)
  return facts
}
