import { test } from 'tap'
import { compareTenants } from './tenant-isolation.js'

test('what a tenant sees is the same whatever happens in another, with other steps', (t) =>
  compareTenants(t, [1, 2, 3, 5, 6]))
