import { measure, type Load } from './load.js'
import type { Bench } from './part.js'

/**
 * Seconds of warming up, in lengths of a measurement. V8 optimizes code after many calls, and sign-ins are few a second: after half a
 * minute one took a fifth more time of the event loop than after a minute and a half.
 */
const long = 140
const short = 10
/** Seconds until all sign-ins that wait at the beginning are answered. */
const lead = 0.3
const warm = new Set<string>()

const warmUp = async ({ signIns, seconds, database }: Bench, url: string, times: number): Promise<Load> => {
  const headers = { 'content-type': 'application/json' }
  const load: Load = { url, method: 'POST', headers, bodies: signIns(), lead }
  if (!warm.has(url)) {
    await measure(load, times * seconds)
    await database.settle()
  }
  warm.add(url)
  return load
}

/** Sign-ins of many users at Rollcall, after it has warmed up. */
export const warmSignIns = async (bench: Bench): Promise<Load> => warmUp(bench, `${bench.url}/auth/login`, long)

/** The same for the smallest possible sign-in, which needs less time to warm up. */
export const warmLeastSignIns = async (bench: Bench): Promise<Load> => warmUp(bench, `${bench.bareUrl}/login`, short)
