import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { openDatabase } from '../../db/index.js'
import { fold } from '../../db/fold.js'

/** Users of a version that folded whole addresses; contacts that have been verified in the form of that version. */
const users = [
  { id: 1, username: 'ann', email: 'Ann@münchen.example', phone: '+8613800138000' },
  { id: 2, username: 'eve', email: 'mallory@ıntern.example', phone: null },
  { id: 3, username: 'bob', email: 'Bob@example.com', phone: null },
  { id: 4, username: 'one', email: 'u@xn--strae-oqa.example', phone: null },
  { id: 5, username: 'two', email: 'u@straße.example', phone: null },
]

test('addresses of an older database stay as they are, and are compared by the ASCII form of their domain', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = await openDatabase('sqlite:test.db', directory)
  await create.migrate({ last: '0020-name-places' })
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.exec(`insert or ignore into tenants (id, tenant_name, tenant_name_key, enabled, create_time, update_time)
    values (1, 'Default', 'default', 1, 1, 1)`)
  const insert =
    file.prepare(`insert into users (id, tenant_id, username, username_key, real_name, real_name_key, user_type, gender,
    user_status, force_password_change, login_count, create_time, update_time, email, email_key, phone, phone_key)
    values (?, 1, ?, ?, ?, ?, 2, 0, 1, 0, 0, 1, 1, ?, ?, ?, ?)`)
  const verify = file.prepare('insert into verified_contacts (user_id, contact, time) values (?, ?, 1)')
  for (const { id, username, email, phone } of users) {
    insert.run(id, username, username, username, username, email, fold(email), phone, phone)
    verify.run(id, fold(email))
    if (phone !== null) verify.run(id, phone)
  }
  file.close()

  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  t.same(await db.migrate(), ['0021-name-kinds', '0022-second-factors', '0023-page-sessions'])
  const emails = (await db.users.findMany([1, 2, 3, 4, 5])).map(({ email }) => email)
  t.same(
    emails,
    users.map(({ email }) => email),
    'no address has changed',
  )
  const found = async (email: string) => (await db.users.findByEmail(1, email))?.username
  t.equal(await found('ann@xn--mnchen-3ya.example'), 'ann')
  t.equal(await found('mallory@ıntern.example'), 'eve')
  t.equal(await found('mallory@intern.example'), undefined, 'another domain')
  t.equal(await found('BOB@example.com'), 'bob')
  t.equal(await found('u@straße.example'), 'one', 'of two equal ones the one that had the ASCII form')
  const isVerified = (id: number, text: string) => db.verifiedContacts.isVerified(id, { kind: 'email', text })
  t.equal(await isVerified(1, 'ann@münchen.example'), true)
  t.equal(await isVerified(2, 'mallory@ıntern.example'), true)
  t.equal(await isVerified(2, 'mallory@intern.example'), false)
  t.equal(await isVerified(3, 'bob@example.com'), true)
  t.equal(await db.verifiedContacts.isVerified(1, { kind: 'phone', text: '+8613800138000' }), true)
  const columns = await db.users.signInColumns(4, 1)
  t.match(columns, [{ username: 'two', emailKey: fold('u@straße.example') }], 'doctor finds it by the old key')
})
