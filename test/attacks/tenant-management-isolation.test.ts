import { test } from 'tap'
import { compareManagement } from './tenant-management-isolation.js'

test('what an administrator does in a tenant neither shows in another nor changes it', (t) => compareManagement(t, [1]))
