import { test } from 'tap'
import { runSteps } from './session-run.js'

test('in 50 random steps of two servers and two tenants a token works exactly when the model says so', (t) =>
  runSteps(t, 50))
