import { test } from 'tap'
import { fold } from '../../db/fold.js'
import { openOlderDatabase } from '../helpers/databases/older-users.js'

/** Users of a version that folded whole addresses; contacts that have been verified in the form of that version. */
const users = [
  { id: 1, username: 'ann', email: 'Ann@münchen.example', phone: '+8613800138000' },
  { id: 2, username: 'eve', email: 'mallory@ıntern.example', phone: null },
  { id: 3, username: 'bob', email: 'Bob@example.com', phone: null },
  { id: 4, username: 'one', email: 'u@xn--strae-oqa.example', phone: null },
  { id: 5, username: 'two', email: 'u@straße.example', phone: null },
]

test('addresses of an older database stay as they are, and are compared by the ASCII form of their domain', async (t) => {
  const rows = users.map((user) => ({ ...user, emailKey: fold(user.email) }))
  const db = await openOlderDatabase(t, '0020-name-places', rows, (key) => key)
  t.equal((await db.migrate())[0], '0021-name-kinds')
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
