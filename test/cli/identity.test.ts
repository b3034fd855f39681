import { test } from 'tap'
import { openDatabase } from '../../db/index.js'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'

test('identity list and remove, and passwd --unlink, show and take away what is linked', async (t) => {
  const { done, json, run, directory } = await createCli(t)
  await done('user add --username anna --no-force-change --password-stdin', { input: userPassword })
  t.equal(await done('identity list anna'), 'User anna has no linked identity.\n')
  const link = async (...subjects: string[]) => {
    const db = await openDatabase('sqlite:rollcall.db', directory)
    const { id: userId } = (await db.users.findByUsername(1, 'anna')) ?? { id: 0 }
    const identity = { userId, tenantId: 1, platform: 'corporate', issuer: 'https://login.example.com' }
    for (const subject of subjects) {
      await db.identities.add({ ...identity, subject, displayName: null, createTime: Date.UTC(2026, 0, 1) })
    }
    await db.close()
  }
  await link('one', 'two', 'three')
  const all = await json('identity list anna')
  t.same(
    all,
    ['one', 'two', 'three'].map((subject, index) => ({
      id: index + 1,
      platform: 'corporate',
      issuer: 'https://login.example.com',
      subject,
      displayName: null,
      linkTime: '2026-01-01T00:00:00.000Z',
    })),
  )
  t.match(await done('identity list anna'), /^\d+\tcorporate\thttps:\/\/login\.example\.com\tone\t\t2026/)
  expectRefusal(
    t,
    await run('identity remove anna 999 --yes'),
    1,
    /identity "999" is not a linked identity of this user/,
  )
  expectRefusal(t, await run('identity remove anna x --yes'), 2, /must be a number/)
  expectRefusal(t, await run('identity list nobody'), 1, /username "nobody" is not a known user/)
  t.equal(await done(`identity remove anna ${all[1].id} --yes`), 'Removed 1 linked identity of anna.\n')
  t.same(
    (await json('identity list anna')).map(({ subject }: { subject: string }) => subject),
    ['one', 'three'],
  )
  const kept = await done('user passwd anna --password-stdin', { input: 'brass kettle whistle' })
  t.match(kept, /Linked identities that still sign in: 2; see rollcall identity list anna\./)
  t.same(await json('identity remove anna --yes'), { username: 'anna', removed: 2 })
  await link('four')
  const gone = await done('user passwd anna --unlink --password-stdin', { input: userPassword })
  t.equal(gone, 'The password of anna is set; the sessions of the user have ended.\n')
  t.same(await json('identity list anna'), [])
})

test('identity list and log print what strangers sent on one line, without control characters', async (t) => {
  const { done, directory } = await createCli(t)
  await done('user add --username anna --no-force-change --password-stdin', { input: userPassword })
  const db = await openDatabase('sqlite:rollcall.db', directory)
  const { id: userId } = (await db.users.findByUsername(1, 'anna')) ?? { id: 0 }
  const name = '\u001b[2J\u202eanna\nbob\tx'
  const platform = { userId, tenantId: 1, platform: 'corporate', issuer: 'https://login.example.com' }
  await db.identities.add({ ...platform, subject: 'one', displayName: name, createTime: Date.UTC(2026, 0, 1) })
  const event = {
    tenantId: 1,
    userId: null,
    subject: name,
    authType: name,
    userClient: name,
    address: '::1',
    userAgent: name,
  }
  await db.loginLog.add({ ...event, time: Date.UTC(2026, 0, 1), reason: name }, null)
  await db.close()
  for (const command of ['identity list anna', 'log']) {
    const printed = await done(command)
    t.notMatch(printed, /[\u001b\u202e]/, `${command}: no control characters`)
    t.equal(printed.split('\n').length, 2, `${command}: one line`)
  }
})
