import { setTimeout } from 'node:timers/promises'
import { createFreshPages } from '../fresh-pages.js'
import { heavy } from '../list-queries.js'
import { measure, type Load } from '../load.js'
import { median, type Bench, type Figure, type Part } from '../part.js'
import type { Latencies, Probe } from '../prober.js'
import { warmSignIns } from '../sign-ins.js'

const perSecond = 200
/** The storms begin before the clients who are measured, and end after them. Seconds. */
const margin = 0.3
const milliseconds = 1000

/** A pause of the machine makes a whole round worthless. */
const rounds = 5

/** Runs the probe alone, or in the middle of a storm. */
const measureRound = async ({ url, headers, seconds, prober, watched }: Bench, storm?: Load) => {
  const length = 3 * seconds
  const raging = storm && measure(storm, length + 3 * margin)
  if (raging) await setTimeout(margin * milliseconds)
  const probe: Probe = { url: `${url}/auth/userInfo`, headers, perSecond, seconds: length }
  const { outcome, holds } = await watched(() => prober.ask<Latencies>('probe', probe))
  await raging
  // What a storm leaves to be done is not of the next round.
  if (raging) await setTimeout(seconds * milliseconds)
  return { ...outcome, longestHold: holds.longest, hold99: holds.p99 }
}

type Round = Awaited<ReturnType<typeof measureRound>>

/** The medians of some rounds; the ratio is that of the ratios to what it was `alone` in the same round. */
const summarise = (figures: Round[], alone?: Round[]) => {
  const of = (name: keyof Round) => median(figures.map((figure) => figure[name]))
  const ratio = alone && median(figures.map(({ p99 }, index) => p99 / (alone[index]?.p99 ?? NaN)))
  return {
    p50: of('p50'),
    p99: of('p99'),
    longest: of('longest'),
    longestHold: of('longestHold'),
    hold99: of('hold99'),
    ...(ratio === undefined ? {} : { ratio }),
  }
}

export const latency: Part = {
  description: 'the token check at a steady rate, alone and in storms, milliseconds',
  everySize: false,
  sharesCores: true,
  async run(bench) {
    const { url, headers } = bench
    const freshPage = await createFreshPages(bench, heavy)
    const path = () => ({ path: `/system/user/page?${freshPage()}` })
    const lists: Load = { url: `${url}/system/user/page`, headers, next: path, connections: 8 }
    const logins = await warmSignIns(bench)
    const alone: Round[] = []
    const signingIn: Round[] = []
    const listing: Round[] = []
    // In turns: what the machine does beside falls on all of them.
    for (let round = 0; round < rounds; round++) {
      alone.push(await measureRound(bench))
      signingIn.push(await measureRound(bench, logins))
      listing.push(await measureRound(bench, lists))
    }
    const target: Figure['target'] = { value: 'ratio', atMost: 5 }
    return [
      { name: 'alone', values: summarise(alone) },
      { name: 'while many sign in', values: summarise(signingIn, alone), target },
      { name: 'while the heaviest lists are read', values: summarise(listing, alone) },
    ]
  },
}
