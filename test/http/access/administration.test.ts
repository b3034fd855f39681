import { test } from 'tap'
import { openWithoutFactor } from '../../helpers/service/administration.js'

test('where administration asks for two factors, everything below /system does', async (t) => {
  const { asked, open } = await openWithoutFactor(t, '/openapi.json')
  t.ok(asked > 30, `${asked} operations`)
  t.strictSame(open, [])
})
