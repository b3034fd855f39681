import { test } from 'tap'
import { openOlderDatabase } from '../helpers/databases/older-users.js'

/** Users of a version that took names and addresses with signs that nobody sees. */
const users: [id: number, username: string, email: string | null, after: [username: string, email: string | null]][] = [
  [1, '\u202dann\u202c', 'an\u{ad}n@example.com', ['ann', 'ann@example.com']],
  [2, 'bob', null, ['bob', null]],
  [3, 'b\u200eob', 'bob@example.com', ['b\u200eob', 'bob@example.com']],
  [4, '王小明', '\u2066wang@例子.中国\u2069', ['王小明', 'wang@例子.中国']],
  [5, 'eve', 'b\ufe0fob@example.com', ['eve', 'b\ufe0fob@example.com']],
]

test('names and addresses of an older database lose signs that nobody sees, unless somebody else has them so', async (t) => {
  const rows = users.map(([id, username, email]) => ({ id, username, email, emailKey: email }))
  const db = await openOlderDatabase(t, '0023-page-sessions', rows, (key) => `email ${key}`)
  const told: string[] = []
  await db.migrate({ report: (line) => told.push(line) })
  const found = await db.users.findMany([1, 2, 3, 4, 5])
  t.same(
    found.map(({ id, username, email }) => [id, username, email]),
    users.map(([id, , , after]) => [id, ...after]),
  )
  t.equal((await db.users.findByUsername(1, 'ann'))?.id, 1)
  t.equal((await db.users.findByUsername(1, 'bob'))?.id, 2)
  t.equal((await db.users.findByEmail(1, 'ann@example.com'))?.id, 1)
  t.equal((await db.users.findByEmail(1, 'bob@example.com'))?.id, 3)
  t.equal(await db.verifiedContacts.isVerified(1, { kind: 'email', text: 'ann@example.com' }), true)
  t.match(told, [
    /^User 3 of tenant 1 has the name of another user/,
    /^User 5 .* has the e-mail address of another user/,
  ])
})
