import { test } from 'tap'
import { compareTenants } from './tenant-isolation.js'

test('what a tenant sees is the same whatever happens in another', (t) => compareTenants(t, [4]))
