import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const faultsOf = async (work: Promise<unknown>): Promise<{ field: string; rule: string }[]> => {
  try {
    await work
    return []
  } catch (error) {
    return (error as { details: { faults: { field: string; rule: string }[] } }).details.faults
  }
}

/** Each in a name that would look like another without it. */
const unseen = [
  0x00, 0x1b, 0x85, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180b, 0x200d, 0x2028, 0x2800, 0x3164, 0xfeff, 0xffa0, 0xd800,
  0xe000, 0x13441, 0x16fe4, 0x1d159, 0xe0041, 0xe0100,
]

test('nothing that cannot be seen gets into a new name or address', async (t) => {
  const { addUser, operator } = await startServer(t)
  for (const point of unseen) {
    const character = String.fromCodePoint(point)
    await t.test(`U+${point.toString(16)}`, async (t) => {
      const name = `ad${character}min`
      const inNames = await faultsOf(addUser(name, { realName: name, email: `${name}@example.com` }))
      t.strictSame(
        inNames.map(({ field, rule }) => [field, rule]),
        [
          ['username', 'name'],
          ['realName', 'name'],
          ['email', 'email'],
        ],
      )
      const inDomain = await faultsOf(addUser('bob', { email: `bob@ex${character}ample.com` }))
      t.strictSame(
        inDomain.map(({ field }) => field),
        ['email'],
      )
      t.match(await faultsOf(operator.addTenant(`Ac${character}me`)), [{ field: 'name' }])
    })
  }
})

test('names and addresses of all scripts are taken', async (t) => {
  const { addUser } = await startServer(t)
  for (const name of ['王小明', 'Zoë', 'Ελένη', 'שרה', 'محمد', 'नमस्ते', '김민준', 'ทดสอบ', '😀Smith', 'ｗｉｄｅ']) {
    const { username } = await addUser(name, { realName: name })
    t.equal(username, name)
  }
  t.equal((await addUser('mail', { email: '王@例子.中国' })).email, '王@例子.中国')
})

const phones: [sentence: string, text: string, stored: string | undefined][] = [
  ['a mobile number', '13800138000', '13800138000'],
  ['the same with spaces', '138 0013 8000', '13800138000'],
  ['the same with the country', '+86 138-0013-8000', '13800138000'],
  ['the same as dialled from abroad', '008613800138000', '13800138000'],
  ['a number of a fixed line', '010-62345678', undefined],
  ['the same with the country, which is meant then', '+86 10 6234 5678', '01062345678'],
  ['a number of another country', '+44 20 7946 0958', '+442079460958'],
  ['a number of a prefix that is new', '14612345678', '14612345678'],
  ['another one', '14800001111', '14800001111'],
  ['a third one, with the country', '+86 149 1234 5678', '14912345678'],
  ['a number that only has the right length', '10000000000', undefined],
  ['a number of the right length that is no mobile number', '12812345678', undefined],
  ['a number without its last digit', '1380013800', undefined],
  ['a number of another country that nobody can have', '+447700900123', undefined],
  ['a number in a sentence', 'call me at 13800138000 please', undefined],
  ['a number in a link', 'tel:+8613800138000', undefined],
  ['a number with an extension', '13800138000 ext. 5', undefined],
  ['two numbers', '13800138000, 13900139000', undefined],
  ['a number behind a mark of direction, as phones copy it', '\u202d13800138000\u202c', '13800138000'],
]

test('phone numbers that are stored are valid and stand alone', async (t) => {
  const { addUser } = await startServer(t)
  for (const [index, [sentence, text, stored]] of phones.entries()) {
    await t.test(sentence, async (t) => {
      // Each in a tenant of its own would be slow: what is taken already is said to be taken, and not wrong.
      const faults = await faultsOf(addUser(`user${index}`, { phone: text }))
      const isTaken = faults.some(({ rule }) => rule === 'taken')
      if (stored === undefined) t.match(faults, [{ field: 'phone', rule: 'phone' }])
      else t.ok(faults.length === 0 || isTaken, JSON.stringify(faults))
    })
  }
})

test('what was stored when more was taken still signs in', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' } } })
  const passwordHash = await server.app.passwords.hash(userPassword)
  const old = { username: 'ol\u034fd', realName: 'O\u3164ld', email: 'ol\u034fd@example.com' }
  const phone = { display: '10000000000', key: '+8610000000000' }
  const row = { ...old, phone, tenantId: 1, userType: 2, passwordHash, forcePasswordChange: false }
  await server.app.db.users.add(row, server.clock.now())
  const { userInfo, accessToken: token } = await server.signIn(old.username)
  t.match(userInfo, { ...old, phone: '10000000000' })
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  t.equal(server.app.contacts.readPhone('10000000000')?.key, phone.key, 'found by the phone number')
  t.equal(server.app.contacts.readEmail(old.email), old.email, 'and by the address')
  const json = { oldPassword: userPassword, newPassword: 'another plain teapot' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json }))
  await server.signIn(old.username, json.newPassword)
})

test('a new password holds no half characters, and whole ones of every plane', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const change = (newPassword: string, oldPassword = userPassword) =>
    server.call('POST', '/auth/changePassword', { token, json: { oldPassword, newPassword } })
  for (const half of ['\ud800', '\udc00', '\udc00\ud800']) {
    const answer = await change(`plain green ${half} teapot`)
    expectProblem(t, answer, 'invalid_request', ['newPassword'])
    t.match(answer.body.data.violations[0].message, 'lone surrogate')
    const signIn = await server.call('POST', '/auth/login', { json: { username: 'alice', password: `x${half}` } })
    expectProblem(t, signIn, 'invalid_credentials')
  }
  expectSuccess(t, await change('plain green 🫖 teapot'))
})
