import { test } from 'tap'
import { killUnderWrites } from './crash-run.js'

test('every write that was answered is there after each of 20 kills under mixed writes', (t) => killUnderWrites(t, 20))
