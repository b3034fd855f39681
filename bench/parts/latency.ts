import { createFreshPages } from '../fresh-pages.js'
import { heavy } from '../list-queries.js'
import { measure, type Load } from '../load.js'
import { median, type Bench, type Figure, type Part } from '../part.js'
import type { Latencies, Probe } from '../prober.js'

const perSecond = 200
/** The storms begin before the clients who are measured, and end after them. Seconds. */
const margin = 0.3

/** A pause of the machine makes a whole round worthless. */
const rounds = 3

/** Runs the probe alone, or in the middle of a storm. */
const measureRound = async ({ url, headers, seconds, prober, watched }: Bench, storm?: Load) => {
  const length = 4 * seconds
  const raging = storm && measure(storm, length + 3 * margin)
  if (raging) await new Promise((resolve) => setTimeout(resolve, margin * 1000))
  const probe: Probe = { url: `${url}/auth/userInfo`, headers, perSecond, seconds: length }
  const { outcome, holds } = await watched(() => prober.ask<Latencies>('probe', probe))
  await raging
  return { ...outcome, longestHold: holds.longest, hold99: holds.p99 }
}

/** The medians of some rounds. */
const measureProbe = async (bench: Bench, storm?: Load) => {
  const figures: Awaited<ReturnType<typeof measureRound>>[] = []
  for (let round = 0; round < rounds; round++) figures.push(await measureRound(bench, storm))
  const of = (name: keyof (typeof figures)[number]) => median(figures.map((figure) => figure[name]))
  return {
    p50: of('p50'),
    p99: of('p99'),
    longest: of('longest'),
    longestHold: of('longestHold'),
    hold99: of('hold99'),
  }
}

export const latency: Part = {
  description: 'the token check at a steady rate, alone and in storms, milliseconds',
  everySize: false,
  async run(bench) {
    const { url, headers, signIns } = bench
    const json = { 'content-type': 'application/json' }
    const freshPage = await createFreshPages(bench, heavy)
    const logins: Load = { url: `${url}/auth/login`, method: 'POST', headers: json, next: signIns() }
    const path = () => ({ path: `/system/user/page?${freshPage()}` })
    const lists: Load = { url: `${url}/system/user/page`, headers, next: path, connections: 8 }
    const idle = await measureProbe(bench)
    const storms: [name: string, storm: Load, target?: Figure['target']][] = [
      ['while many sign in', logins, { value: 'ratio', atMost: 5 }],
      ['while the heaviest lists are read', lists],
    ]
    const figures: Figure[] = [{ name: 'alone', values: idle }]
    for (const [name, storm, target] of storms) {
      const values = await measureProbe(bench, storm)
      figures.push({ name, values: { ...values, ratio: values.p99 / idle.p99 }, ...(target ? { target } : {}) })
    }
    return figures
  },
}
