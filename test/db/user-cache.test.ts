import { test } from 'tap'
import { createUserCache } from '../../db/user-cache.js'

interface Value {
  user: { id: number; avatar: string | null }
  text: string
}

const pictureLength = 50_000
const limits = { max: 500, maxSize: 100_000, maxPictures: 4 * pictureLength }

const start = () => {
  let version = 1
  const changes = { now: async () => version, isUnchanged: (_id: number, since: number, now: number) => since === now }
  const cache = createUserCache<Value>(changes, limits)
  let reads = 0
  const find = (key: string, id: number, picture: string | null, text = '') =>
    cache.find(key, async () => {
      reads++
      // Each read makes a text of its own, as a database does.
      const avatar = picture === null ? null : Buffer.from(picture.repeat(pictureLength)).toString()
      return { user: { id, avatar }, text }
    })
  return { cache, find, reads: () => reads, change: () => version++ }
}

test('a picture is held once for a user, however many sessions are cached', async (t) => {
  const { cache, find, reads } = start()
  for (let round = 0; round < 2; round++)
    for (let index = 0; index < 100; index++)
      t.equal((await find(`session-${index}`, 1, 'a'))?.user.avatar, 'a'.repeat(pictureLength))
  t.equal(reads(), 100, 'each is read once')
  t.ok(cache.size() > pictureLength && cache.size() < pictureLength + 50_000, `${cache.size()} bytes`)
})

test('a changed picture takes the place of the old one, and what nobody holds is forgotten', async (t) => {
  const { cache, find, change } = start()
  for (const key of ['one', 'two']) await find(key, 1, 'a')
  change()
  t.equal((await find('one', 1, 'b'))?.user.avatar?.slice(0, 1), 'b')
  t.ok(cache.size() > 2 * pictureLength, 'the other session still has the old one')
  t.equal((await find('two', 1, 'b'))?.user.avatar?.slice(0, 1), 'b')
  t.ok(cache.size() < 1.1 * pictureLength)
  change()
  for (const key of ['one', 'two']) t.equal((await find(key, 1, null))?.user.avatar, null)
  t.ok(cache.size() < 1000, `${cache.size()} bytes`)
})

test('the bytes are bounded, of pictures and of all else', async (t) => {
  const { cache, find, reads } = start()
  for (let id = 1; id <= 50; id++) {
    t.equal((await find(`session-${id}`, id, 'a'))?.user.id, id)
    t.ok(cache.size() <= 4 * pictureLength + limits.maxSize)
  }
  const before = reads()
  await find('session-50', 50, 'a')
  t.equal(reads(), before, 'the latest are kept')
  await find('session-1', 1, 'a')
  t.equal(reads(), before + 1)
  for (let id = 1; id <= 300; id++) {
    await find(`other-${id}`, id, null, 'x'.repeat(1000))
    t.ok(cache.size() <= 4 * pictureLength + limits.maxSize)
  }
  for (let time = 0; time < 2; time++)
    t.equal((await find('too large', 1, 'c', 'x'.repeat(200_000)))?.text.length, 200_000)
  t.equal(reads(), before + 303, 'what is too large is read each time')
  t.ok(cache.size() <= 4 * pictureLength + limits.maxSize)
})
