import { parallel } from '../helpers/compare.js'
import { onEachEngine } from './engines.js'

onEachEngine('an entry is there until it expires', async (t, db) => {
  let now = 1000
  const store = db.createStore(() => now)
  await store.set('one', 'first', 500)
  await store.set('one', 'second', 500)
  t.equal(await store.get('one'), 'second')
  t.equal(await store.get('two'), undefined)
  now = 1500
  t.equal(await store.get('one'), undefined)
  t.equal(await store.take('one'), undefined)
})

onEachEngine('of parallel takers one gets the value', async (t, db) => {
  const store = db.createStore(() => 1000)
  await store.set('one', 'value', 500)
  const taken = await parallel(8, () => store.take('one'))
  t.strictSame(
    taken.filter((value) => value !== undefined),
    ['value'],
  )
})

onEachEngine('a counter loses no addition, and starts anew when it has expired', async (t, db) => {
  let now = 1000
  const store = db.createStore(() => now)
  await parallel(20, () => store.increment('tries', 1, 500))
  now = 1200
  t.strictSame(await store.increment('tries', 2, 500), { count: 22, expiry: 1500 }, 'its time is not prolonged')
  t.strictSame(await store.increment('tries', -3, 500), { count: 19, expiry: 1500 })
  now = 1500
  t.strictSame(await store.increment('tries', 1, 500), { count: 1, expiry: 2000 })
  now = 2000
  t.strictSame(await store.increment('tries', -1, 500), { count: 0, expiry: 2500 }, 'never less than nothing')
})

onEachEngine('an expiry moves on, from now when there is none, and not too far', async (t, db) => {
  let now = 1000
  const store = db.createStore(() => now)
  t.equal(await store.prolong('pause', 100, 250), 1100)
  t.equal(await store.prolong('pause', 100, 250), 1200)
  t.equal(await store.prolong('pause', 100, 250), 1250)
  now = 2000
  t.equal(await store.prolong('pause', 100, 250), 2100)
})

onEachEngine('many entries are set, read and deleted at once', async (t, db) => {
  const store = db.createStore(() => 1000)
  const keys = Array.from({ length: 120 }, (_, index) => `key ${index}`)
  await store.setMany(keys, 'value', 500)
  t.equal((await store.getMany([...keys, 'other'])).size, 120)
  t.match((await store.getMany(['key 7'])).get('key 7'), { value: 'value', expiry: 1500 })
  await store.delete(keys.slice(1))
  t.strictSame([...(await store.getMany(keys)).keys()], ['key 0'])
})

onEachEngine('what has expired is purged, up to a limit', async (t, db) => {
  const store = db.createStore(() => 1000)
  await store.setMany(['one', 'two', 'three'], '', 100)
  await store.set('four', '', 200)
  t.equal(await store.purge(1100, 2), 2)
  t.equal(await store.purge(1100, 2), 1)
  t.equal(await store.purge(1100, 2), 0)
  t.equal(await store.get('four'), '')
})
