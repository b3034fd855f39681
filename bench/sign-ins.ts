import { measure, type Load } from './load.js'
import type { Bench } from './part.js'

/** Code is optimised by how often it has run, and sign-ins are few: a service that has run for a while has had thousands. */
const warmUp = 50
/** Seconds in which all people who wait at once have been answered. */
const lead = 0.3
const warm = new Set<string>()

/** Sign-ins of many users, at a server that has had many before. */
export const warmSignIns = async ({ url, signIns, seconds }: Bench): Promise<Load> => {
  const headers = { 'content-type': 'application/json' }
  const load: Load = { url: `${url}/auth/login`, method: 'POST', headers, bodies: signIns(), lead }
  if (!warm.has(url)) await measure(load, warmUp * seconds)
  warm.add(url)
  return load
}
