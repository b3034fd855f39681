import { test } from 'tap'
import { createMemoryRelease } from '../../plugins/memory-release.js'

/** At which of the looks memory is released, when the event loop has worked for these shares of the time before each. */
const releases = (shares: number[]): number[] => {
  const at: number[] = []
  let look = 0
  const looking = createMemoryRelease(
    () => shares[look] ?? NaN,
    () => at.push(look),
  )
  for (; look < shares.length; look++) looking()
  return at
}

for (const [what, shares, expected] of [
  ['once after the start', [0.5, 0, 0, 0], [1]],
  ['at the first look, when the start was over before', [0, 0], [0]],
  ['not while requests come', [0.5, 0.02, 0.02, 0.06, 0.04], []],
  ['once each time when many requests have become few', [0.9, 0.01, 0, 0, 0.3, 0.03, 0.009, 0, 0.05, 0], [1, 6, 9]],
  ['not again after a few requests', [0, 0.01, 0.049, 0, 0.02, 0], [0]],
] satisfies [string, number[], number[]][]) {
  test(`memory is released ${what}`, async (t) => {
    t.strictSame(releases(shares), expected)
  })
}
