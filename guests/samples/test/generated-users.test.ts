import { readFileSync, writeFileSync } from 'node:fs'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { test } from 'tap'
import { fold } from '../../../db/fold.js'
import { readPhone } from '../../../plugins/identity/contacts/phone-numbers.js'
import { createCli, type Cli } from '../../../test/helpers/processes/cli.js'

type Row = Record<string, any>

/** Everybody but the administrator of the first start. */
const generated = ({ content }: Pick<Cli, 'content'>) => (content()['users'] as Row[]).slice(1)
const shareOf = (rows: Row[], matches: (row: Row) => boolean) => rows.filter(matches).length / rows.length
const countOf = (rows: Row[], column: string) => new Set(rows.map((row) => row[column])).size

test('generated users could be real', async (t) => {
  const cli = await createCli(t)
  await cli.done('user generate --count 3000 --tenants 4')
  const users = generated(cli)
  const rows: [sentence: string, from: number, to: number, matches: (row: Row) => boolean][] = [
    ['has a Chinese name', 0.6, 0.8, (row) => /^\p{Script=Han}{2,4}$/u.test(row['real_name'])],
    ['has a Latin name', 0.2, 0.4, (row) => /^\p{Script=Latin}/u.test(row['real_name'])],
    ['is a Wang', 0.03, 0.09, (row) => row['real_name'].startsWith('王')],
    ['has a long surname', 0.0001, 0.01, (row) => row['real_name'].startsWith('欧阳')],
    ['is an ordinary user', 0.98, 0.9999, (row) => row['user_type'] === 2],
    ['is a system administrator', 0, 0, (row) => row['user_type'] === 0],
    ['is normal', 0.9, 0.98, (row) => row['user_status'] === 1],
    ['is disabled', 0.01, 0.08, (row) => row['user_status'] === 0],
    ['is locked', 0.005, 0.04, (row) => row['user_status'] === 2],
    ['is a man', 0.4, 0.55, (row) => row['gender'] === 1],
    ['is a woman', 0.38, 0.5, (row) => row['gender'] === 2],
    ['has a phone', 0.88, 0.96, (row) => row['phone'] !== null],
    ['has an e-mail address', 0.75, 0.85, (row) => row['email'] !== null],
    ['has signed in', 0.6, 0.8, (row) => row['last_login_time'] !== null],
    [
      'has signed in without an address or a count',
      0,
      0,
      (row) => {
        const signs = [row['last_login_time'] !== null, row['last_login_ip'] !== null, row['login_count'] > 0]
        return signs.some((sign) => sign !== signs[0])
      },
    ],
    [
      'was used or changed before it was made',
      0,
      0,
      (row) => row['update_time'] < row['create_time'] || (row['last_login_time'] ?? Infinity) < row['create_time'],
    ],
    [
      'has a time after 2026 began',
      0,
      0,
      (row) => Math.max(row['create_time'], row['update_time'], row['last_login_time'] ?? 0) >= Date.UTC(2026, 0),
    ],
    ['was made in the last of eight years', 0.15, 0.35, (row) => row['create_time'] > Date.UTC(2025, 0)],
    ['was made in the first four', 0.15, 0.35, (row) => row['create_time'] < Date.UTC(2022, 0)],
    ['has a password', 0, 0, (row) => row['password_hash'] !== null],
    ['is in the first tenant', 0.4, 0.6, (row) => row['tenant_id'] === 1],
    ['is in the fourth', 0.05, 0.2, (row) => row['tenant_id'] === 4],
    ['is in a fifth', 0, 0, (row) => row['tenant_id'] > 4],
  ]
  for (const [sentence, from, to, matches] of rows) {
    const share = shareOf(users, matches)
    t.ok(share >= from && share <= to, `who ${sentence}: ${share}`)
  }
  t.ok(countOf(users, 'real_name') > 1500, 'many names')
  t.equal((cli.content()['tenants'] as Row[]).length, 4)
  const roleUsers = new Set((cli.content()['user_roles'] as Row[]).map((row) => row['user_id']))
  t.ok(shareOf(users, ({ id }) => roleUsers.has(id)) > 0.2, 'some have roles')
})

for (const region of ['CN', 'US', 'DE', 'TO']) {
  test(`phone numbers are valid in ${region}, stored as an account stores them, and nobody shares one`, async (t) => {
    const cli = await createCli(t)
    const file = `${cli.directory}/config.json`
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), phoneRegion: region }))
    await cli.done('user generate --count 400 --tenants 1')
    const users = generated(cli).filter(({ phone }) => phone !== null)
    t.ok(users.length > 300)
    t.equal(countOf(users, 'phone_key'), users.length)
    for (const { phone, phone_key: key } of users) {
      const number = parsePhoneNumberFromString(phone, region as 'CN')
      if (!number?.isValid() || number.country !== region) t.fail(`${phone} is not valid`)
      const stored = readPhone(phone, region)
      if (stored?.key !== key || stored?.display !== phone) t.fail(`${phone} is stored as ${key}`)
    }
  })
}

test('names are stored as accounts store them', async (t) => {
  const cli = await createCli(t)
  await cli.done('user generate --count 500')
  const users = generated(cli)
  t.equal(users.length, 500)
  for (const column of ['username', 'real_name', 'email']) {
    const folded = users.map((row) => (row[column] === null ? null : fold(String(row[column]))))
    t.same(
      users.map((row) => row[`${column}_key`] as unknown),
      folded,
      column,
    )
  }
})
