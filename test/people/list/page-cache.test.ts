import { test } from 'tap'
import { createPageCache } from '../../../plugins/people/list/page-cache.js'
import type { UserPage } from '../../../schemas/user.js'

test('a cached page keeps no memory but its own', async (t) => {
  const pages = createPageCache()
  const content: UserPage = { total: 0, pages: 0, current: 1, size: 10, records: [] }
  let now = 999
  const find = () => pages.find('key', () => 1, now)
  pages.add('key', 1, 1000, content)
  t.equal(find(), undefined, 'asked for once')
  pages.add('key', 1, 1000, content)
  const json = find()?.json ?? ''
  t.equal(json.toString(), JSON.stringify(content))
  t.equal(json instanceof Buffer && json.buffer.byteLength, json.length)
  now = 1000
  t.equal(find(), undefined, 'it is true until then only')
})

test('the texts of queries count, too: of 4 MiB of them the latest are cached', async (t) => {
  const pages = createPageCache()
  const empty: UserPage = { total: 0, pages: 0, current: 1, size: 10, records: [] }
  const keyOf = (index: number) => `${'名'.repeat(2000)} ${index}`
  const count = 2000
  for (let index = 0; index < count; index++) {
    pages.add(keyOf(index), 1, Infinity, empty)
    pages.add(keyOf(index), 1, Infinity, empty)
  }
  const cached = Array.from({ length: count }, (_, index) => pages.find(keyOf(index), () => 1, 0) !== undefined)
  t.equal(cached.at(-1), true)
  t.ok(cached.filter(Boolean).length < 2 ** 22 / 4000, `${cached.filter(Boolean).length} pages`)
})
