import { test } from 'tap'
import { openWithoutFactor } from '../../../test/helpers/service/administration.js'

/** What every signed-in user needs on every page or does to themselves, and what is always empty. */
const everybody = [
  'GET /system/demo/status',
  'GET /system/dict/data/list',
  'GET /system/notice/user/page',
  'GET /system/org/children/{id}',
  'GET /system/org/current/options',
  'GET /system/post/list',
  'GET /system/region/treeAll',
  'GET /system/tenant/current/options',
  'GET /system/user/{id}/posts',
  'POST /system/tenant/userTenantConfig',
  'POST /system/user/updateProfile',
]

test('where administration asks for two factors, everything below /system does, but for what is of the caller alone or empty', async (t) => {
  const { asked, open } = await openWithoutFactor(t, '/openapi-compat.json')
  t.ok(asked > 20, `${asked} operations`)
  t.strictSame(open, everybody)
})
