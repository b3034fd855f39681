import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { onSqliteOnly } from '../helpers/databases/database.js'
import { openOlderDatabase } from '../helpers/databases/older-users.js'

test('bans of an earlier version stay, and their table goes', onSqliteOnly, async (t) => {
  const users = ['alice', 'bert', 'carl'].map((username, index) => ({
    id: index + 1,
    username,
    email: null,
    emailKey: null,
  }))
  let path = ''
  const plain = (key: string) => key
  const db = await openOlderDatabase(t, '0024-copied-names', users, plain, (file) => {
    path = file.name
    file.exec(`insert into user_bans (user_id, expiry, reason) values (2, 5000, 'late'), (3, 9000, null)`)
  })
  await db.migrate()
  t.match(await db.users.find(1), { bannedUntil: null, banReason: null })
  t.match(await db.users.find(2), { bannedUntil: 5000, banReason: 'late' })
  t.match((await db.userBans.page({}, { offset: 0, size: 10 }, 4999)).rows, [
    { userId: 2, expiry: 5000, username: 'bert' },
    { userId: 3, expiry: 9000 },
  ])
  t.match(await db.userBans.page({}, { offset: 0, size: 10 }, 5000), { total: 1, rows: [{ userId: 3 }] })
  const file = new Sqlite(path)
  t.equal(file.prepare(`select count(*) from sqlite_schema where name = 'user_bans'`).pluck().get(), 0)
  file.close()
})
