import { test } from 'tap'
import { tryDearRequests } from './dear-requests.js'

test('no request of 64 KiB holds the event loop, and no answer names more than 20 faults: every sixtieth of them', (t) =>
  tryDearRequests(t, 60))
