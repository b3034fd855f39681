import { test } from 'tap'
import { createPageCache } from '../../../plugins/people/list/page-cache.js'
import type { UserPage } from '../../../schemas/user.js'

test('a cached page keeps no memory but its own', async (t) => {
  const pages = createPageCache()
  const content: UserPage = { total: 0, pages: 0, current: 1, size: 10, records: [] }
  const find = () => pages.find('key', () => 1)
  pages.add('key', 1, content)
  t.equal(find(), undefined, 'asked for once')
  pages.add('key', 1, content)
  const json = find()?.json ?? ''
  t.equal(json.toString(), JSON.stringify(content))
  t.equal(json instanceof Buffer && json.buffer.byteLength, json.length)
})
