import type { Cluster, Redis } from 'ioredis'
import type { Entry, Store } from '../repositories/store.js'

/** Redis keeps an entry for this time longer than Rollcall, whose clock may differ. Milliseconds. */
const slack = 60_000

const toText = (value: string, expiry: number): string => `${expiry}:${value}`
const toEntry = (text: string | null): Entry | undefined => {
  const [, expiry, value] = /^(\d+):(.*)$/s.exec(text ?? '') ?? []
  return expiry === undefined || value === undefined ? undefined : { value, expiry: Number(expiry) }
}

/** Runs commands on the client, and translates its errors to a `RedisError`. */
export type RunOnRedis = <T>(work: (client: Redis | Cluster) => Promise<T>) => Promise<T>

/** The store in Redis, with keys that begin with `prefix`. */
export const createRedisStore = (run: RunOnRedis, prefix: string, now: () => number): Store => {
  const keyOf = (key: string) => prefix + key
  const alive = (text: string | null): Entry | undefined => {
    const entry = toEntry(text)
    return entry && entry.expiry > now() ? entry : undefined
  }
  const setMany = async (keys: string[], value: string, ttl: number): Promise<void> => {
    const text = toText(value, now() + ttl)
    await run((client) => client.rollcallSet(keys.length, ...keys.map(keyOf), text, ttl + slack))
  }

  return {
    async get(key) {
      return alive(await run((client) => client.get(keyOf(key))))?.value
    },

    async getMany(keys) {
      if (keys.length === 0) return new Map()
      const texts = await run((client) => client.mget(keys.map(keyOf)))
      return new Map(
        keys.flatMap((key, index) => {
          const entry = alive(texts[index] ?? null)
          return entry ? [[key, entry]] : []
        }),
      )
    },

    set: (key, value, ttl) => setMany([key], value, ttl),
    setMany,

    async take(key) {
      return alive(await run((client) => client.getdel(keyOf(key))))?.value
    },

    async increment(key, by, ttl) {
      const [count, expiry] = await run((client) => client.rollcallIncrement(keyOf(key), by, ttl, now(), slack))
      return { count: Number(count), expiry: Number(expiry) }
    },

    async prolong(key, by, max) {
      return Number(await run((client) => client.rollcallProlong(keyOf(key), by, max, now(), slack)))
    },

    async delete(keys) {
      if (keys.length > 0) await run((client) => client.del(keys.map(keyOf)))
    },
  }
}
