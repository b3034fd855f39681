import { test } from 'tap'
import { killUnderWrites } from './crash-run.js'

test('every write that was answered is there after a kill under mixed writes', (t) => killUnderWrites(t, 1))
