import type { Cluster, Redis } from 'ioredis'

/** The first version with GETDEL. */
const minVersion = { major: 6, minor: 2 }

export interface RedisFacts {
  version: string
  /** What Redis does when its memory is full; undefined where it does not say so. */
  evictionPolicy: string | undefined
}

const field = (info: string, name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]

/** Reads what must be known about the server. Throws when it is too old. */
export const checkRedis = async (client: Redis | Cluster): Promise<RedisFacts> => {
  const info = await client.info()
  const version = field(info, 'redis_version') ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < minVersion.major || (major === minVersion.major && minor < minVersion.minor)) {
    throw new Error(`version ${minVersion.major}.${minVersion.minor} or newer is needed, and this is ${version}`)
  }
  return { version, evictionPolicy: field(info, 'maxmemory_policy') }
}
