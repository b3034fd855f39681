import { test } from 'tap'
import { createMemoryRelease } from '../../plugins/run/memory-release.js'

/** In which intervals memory is released, counted from 0, with this event loop utilization in each. */
const releases = (utilizations: number[]): number[] => {
  const at: number[] = []
  let interval = 0
  const check = createMemoryRelease(
    () => utilizations[interval] ?? NaN,
    () => at.push(interval),
  )
  for (; interval < utilizations.length; interval++) check()
  return at
}

for (const [what, utilizations, expected] of [
  ['once after the start', [0.5, 0, 0, 0], [1]],
  ['in the first interval, when the start was over before', [0, 0], [0]],
  ['not while requests come', [0.5, 0.02, 0.02, 0.06, 0.04], []],
  ['once each time a busy server becomes idle', [0.9, 0.01, 0, 0, 0.3, 0.03, 0.009, 0, 0.05, 0], [1, 6, 9]],
  ['not again after a few requests', [0, 0.01, 0.049, 0, 0.02, 0], [0]],
] satisfies [string, number[], number[]][]) {
  test(`memory is released ${what}`, async (t) => {
    t.strictSame(releases(utilizations), expected)
  })
}
