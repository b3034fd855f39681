import { parallel } from '../helpers/values/compare.js'
import { onEachEngine } from './engines.js'
import { onEachStore } from './stores.js'
import { purge } from '../helpers/databases/purge.js'

onEachStore('an entry is there until it expires', async (t, createStore) => {
  let now = 1000
  const store = createStore(() => now)
  await store.set('one', 'first', 500)
  await store.set('one', 'second', 500)
  t.equal(await store.get('one'), 'second')
  t.equal(await store.get('two'), undefined)
  now = 1500
  t.equal(await store.get('one'), undefined)
  t.equal(await store.take('one'), undefined)
})

onEachStore('of parallel takers one gets the value', async (t, createStore) => {
  const store = createStore(() => 1000)
  await store.set('one', 'value', 500)
  const taken = await parallel(8, () => store.take('one'))
  t.strictSame(
    taken.filter((value) => value !== undefined),
    ['value'],
  )
})

onEachStore('a counter loses no addition, and starts anew when it has expired', async (t, createStore) => {
  let now = 1000
  const store = createStore(() => now)
  await parallel(20, () => store.increment('tries', 1, 500))
  now = 1200
  t.strictSame(await store.increment('tries', 2, 500), { count: 22, expiry: 1500 }, 'its time is not prolonged')
  t.strictSame(await store.increment('tries', -3, 500), { count: 19, expiry: 1500 })
  now = 1500
  t.strictSame(await store.increment('tries', 1, 500), { count: 1, expiry: 2000 })
  now = 2000
  t.strictSame(await store.increment('tries', -1, 500), { count: 0, expiry: 2500 }, 'never less than nothing')
})

onEachStore('an expiry moves on, from now when there is none, and not too far', async (t, createStore) => {
  let now = 1000
  const store = createStore(() => now)
  t.equal(await store.prolong('pause', 100, 250), 1100)
  t.equal(await store.prolong('pause', 100, 250), 1200)
  t.equal(await store.prolong('pause', 100, 250), 1250)
  now = 2000
  t.equal(await store.prolong('pause', 100, 250), 2100)
})

onEachStore('many entries are set, read and deleted at once', async (t, createStore) => {
  const store = createStore(() => 1000)
  const keys = Array.from({ length: 120 }, (_, index) => `key ${index}`)
  await store.setMany(keys, 'value', 500)
  t.equal((await store.getMany([...keys, 'other'])).size, 120)
  t.match((await store.getMany(['key 7'])).get('key 7'), { value: 'value', expiry: 1500 })
  await store.delete(keys.slice(1))
  t.strictSame([...(await store.getMany(keys)).keys()], ['key 0'])
  t.equal((await store.getMany([])).size, 0, 'no keys, no entries')
  await store.delete([])
  t.strictSame([...(await store.getMany(keys)).keys()], ['key 0'], 'and nothing is deleted')
})

onEachStore('values are kept as they are', async (t, createStore) => {
  const store = createStore(() => 1_795_000_000_123)
  const values = ['', ':', '1:2:3', 'two\nlines', '{"名": "é😀"}', '0']
  for (const [index, value] of values.entries()) await store.set(`value ${index}`, value, 5000)
  const entries = await store.getMany(values.map((_, index) => `value ${index}`))
  for (const [index, value] of values.entries()) {
    t.equal(await store.get(`value ${index}`), value)
    t.match(entries.get(`value ${index}`), { value, expiry: 1_795_000_005_123 })
    t.equal(await store.take(`value ${index}`), value)
  }
})

onEachStore('a key that is set twice in one write is there once', async (t, createStore) => {
  const store = createStore(() => 1000)
  await store.setMany(['one', 'one'], 'value', 500)
  t.equal(await store.take('one'), 'value')
  t.equal(await store.take('one'), undefined)
})

onEachStore('a prolonged entry keeps its value, and an expired one does not come back', async (t, createStore) => {
  let now = 1000
  const store = createStore(() => now)
  await store.set('one', 'value', 100)
  t.equal(await store.prolong('one', 100, 500), 1200)
  now = 1150
  t.equal(await store.get('one'), 'value')
})

onEachEngine('what has expired is purged, up to a limit', async (t, db) => {
  const store = db.createStore(() => 1000)
  await store.setMany(['one', 'two', 'three'], '', 100)
  await store.set('four', '', 200)
  t.equal(await purge(db, 'store', 1100, 2), 2)
  t.equal(await purge(db, 'store', 1100, 2), 1)
  t.equal(await purge(db, 'store', 1100, 2), 0)
  t.equal(await store.get('four'), '')
})
