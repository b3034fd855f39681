import { measure, type Load } from './load.js'
import type { Bench } from './part.js'

/** Code is optimised by how often it has run, and sign-ins are few: a service that has run for a while has had thousands. */
const long = 50
const short = 10
/** Seconds in which all people who wait at once have been answered. */
const lead = 0.3
const warm = new Set<string>()

const warmUp = async ({ signIns, seconds }: Bench, url: string, times: number): Promise<Load> => {
  const headers = { 'content-type': 'application/json' }
  const load: Load = { url, method: 'POST', headers, bodies: signIns(), lead }
  if (!warm.has(url)) await measure(load, times * seconds)
  warm.add(url)
  return load
}

/** Sign-ins of many users, at a server that has had many before. */
export const warmSignIns = async (bench: Bench): Promise<Load> => warmUp(bench, `${bench.url}/auth/login`, long)

/** The same at the service that does the least: there is little to be optimised. */
export const warmLeastSignIns = async (bench: Bench): Promise<Load> => warmUp(bench, `${bench.bareUrl}/login`, short)
