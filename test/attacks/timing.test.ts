import { test } from 'tap'
import { compareTimes, startRefusing } from './timing.js'

test('L1: the time of a refusal does not tell whether a name exists: forty of each', async (t) => {
  const { refuse, unknown } = await startRefusing(t)
  await compareTimes(
    t,
    40,
    refuse(() => 'alice'),
    unknown,
  )
})
