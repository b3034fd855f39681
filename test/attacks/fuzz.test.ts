import { test } from 'tap'
import { fuzz } from './fuzzer.js'

test('500 hostile requests to all operations get documented answers', (t) => fuzz(t, 500))
