import type { Installation } from '../../app.js'
import { attempt, findingsOf, type Finding } from './finding.js'

const { ok, warning } = findingsOf('redis')
const key = 'write-test'
const lifetime = 60_000

const examine = async (url: string, secret: string): Promise<Finding[]> => {
  const [{ prepareRedis }, { nameInstallation }] = await Promise.all([
    import('../../db/index.js'),
    import('../../plugins/run/encryption/encryption.js'),
  ])
  const redis = await prepareRedis(url)
  try {
    const { version, evictionPolicy } = await redis.open()
    const store = redis.createStore(nameInstallation(secret), Date.now)
    const begin = performance.now()
    await store.set(key, '', lifetime)
    await store.take(key)
    const time = Math.ceil(performance.now() - begin)
    const found = [
      ok(
        `${redis.shown} reads and writes in ${time} ms; ${version === undefined ? 'it does not tell its version' : `version ${version}`}`,
      ),
    ]
    if (evictionPolicy === undefined || evictionPolicy === 'noeviction') return found
    const message = `maxmemory-policy is ${evictionPolicy}: when its memory is full, Redis deletes lockouts and codes`
    return [...found, warning(message, 'Set maxmemory-policy to noeviction.')]
  } finally {
    redis.close()
  }
}

/** Redis, where it is configured. */
export const checkRedis = async ({ settings, secret }: Installation): Promise<Finding[]> => {
  const { redisUrl } = settings
  if (redisUrl === null) return []
  const advice = 'While Redis does not answer, nobody can sign in: see docs/redis.md.'
  return attempt('redis', () => examine(redisUrl, secret), advice)
}
