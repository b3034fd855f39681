import { test } from 'tap'
import { compareManagement } from './tenant-management-isolation.js'

test('what an administrator does in a tenant neither shows in another nor changes it, with other steps', (t) =>
  compareManagement(t, [2, 3, 4, 5, 6]))
