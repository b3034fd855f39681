import { setTimeout } from 'node:timers/promises'
import { createFreshPages } from '../fresh-pages.js'
import { heavy } from '../list-queries.js'
import { measure, type Load } from '../load.js'
import { median, type Bench, type Figure, type Part } from '../part.js'
import type { Latencies, Probe } from '../latency-probe.js'
import { warmSignIns } from '../sign-ins.js'

const perSecond = 200
/** The load begins this long before the measurement and ends this long after it. Seconds. */
const margin = 0.3
const milliseconds = 1000

/** Five, because a pause of the machine spoils a whole round. */
const rounds = 5

/** Runs the probe alone, or under a load. */
const measureRound = async ({ url, headers, seconds, latencyProbe, watched }: Bench, load?: Load) => {
  const length = 3 * seconds
  const loading = load && measure(load, length + 3 * margin)
  if (loading) await setTimeout(margin * milliseconds)
  const probe: Probe = { url: `${url}/auth/userInfo`, headers, perSecond, seconds: length }
  const { outcome, holds } = await watched(() => latencyProbe.ask<Latencies>('probe', probe))
  await loading
  // The server finishes the work of the load before the next round.
  if (loading) await setTimeout(seconds * milliseconds)
  return { ...outcome, maxHold: holds.max, hold99: holds.p99 }
}

type Round = Awaited<ReturnType<typeof measureRound>>

/** Medians of the rounds. `ratio` is the median of the ratios to the figure `alone` in the same round. */
const summarise = (figures: Round[], alone?: Round[]) => {
  const of = (name: keyof Round) => median(figures.map((figure) => figure[name]))
  const ratio = alone && median(figures.map(({ p99 }, index) => p99 / (alone[index]?.p99 ?? NaN)))
  return {
    p50: of('p50'),
    p99: of('p99'),
    max: of('max'),
    maxHold: of('maxHold'),
    hold99: of('hold99'),
    ...(ratio === undefined ? {} : { ratio }),
  }
}

export const latency: Part = {
  description: 'the token check at a steady rate, alone and under load, milliseconds',
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
    // In turns, so that other work of the machine affects all of them.
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
