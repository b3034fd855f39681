import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { createCli, type Cli } from '../helpers/processes/cli.js'
import { changeSettings, examine } from '../helpers/processes/doctor.js'
import { insertManyUsers } from '../helpers/service/many-users.js'

const day = 86_400_000

const rewrite = ({ directory }: Cli, sql: string, name = 'rollcall.db') => {
  new Sqlite(join(directory, name)).exec(sql).close()
}
/** As if the last sign-in had been so many milliseconds ago. */
const lastSignIn = (cli: Cli, ago: number) =>
  rewrite(
    cli,
    `insert into login_log (time, tenant_id, subject, auth_type, user_client, address, user_agent)
     values (${Date.now() - ago}, 1, 'admin', 'password', 'pc', '127.0.0.1', '')`,
  )

const rows: [what: string, prepare: (cli: Cli) => unknown, check: string, level: string, messages: RegExp[]][] = [
  [
    'a setting of an earlier version',
    (cli) => changeSettings(cli, { federation: { requireBrowser: true } }),
    'configuration',
    'warning',
    [/no longer exist: federation\.requireBrowser/],
  ],
  [
    'wrong settings of second factors, all of them',
    (cli) => changeSettings(cli, { secondFactor: { trustDays: 91, policy: 'always' } }),
    'configuration',
    'fault',
    [/^secondFactor\.trustDays .*must be at most 90/, /^secondFactor\.policy /],
  ],
  [
    'a domain of passkeys that is an address, and a page that is not below it',
    (cli) => changeSettings(cli, { passkeys: { rpId: '127.0.0.1', origins: ['http://console.example.com'] } }),
    'configuration',
    'fault',
    [/^passkeys\.rpId .*must be a domain/, /^passkeys\.origins .*http:\/\/console\.example\.com/],
  ],
  [
    'a phone number to which no text message can go',
    (cli) => rewrite(cli, `update users set phone = '02125550123', phone_key = '+862125550123' where id = 1`),
    'accounts',
    'warning',
    [/^phone numbers to which no text message can go: 1 \(admin/],
  ],
  [
    'a list of all users that finds no room in memory',
    async (cli) => {
      await insertManyUsers(cli.directory, 263_000)
      changeSettings(cli, { userList: { memoryMiB: 1 } })
    },
    'user list',
    'warning',
    [/^a list of all 263001 users takes 2 MiB, and all lists may take 1 MiB/],
  ],
  [
    'a database that is larger than the space beside it',
    ({ directory }) => truncateSync(join(directory, 'rollcall.db'), 2 ** 42),
    'free space',
    'warning',
    [/the database has 4398047 MB/],
  ],
  [
    'a database that refuses to be written',
    (cli) =>
      rewrite(cli, `create trigger refuse before insert on store begin select raise(abort, 'refused here'); end`),
    'database',
    'fault',
    [/refused here/],
  ],
  [
    'an empty database',
    (cli) => {
      rewrite(cli, 'create table things (id integer)', 'empty.db')
      return { environment: { DATABASE_URL: 'sqlite:empty.db' } }
    },
    'migrations',
    'fault',
    [/no data of Rollcall yet/],
  ],
  ['no signing key', (cli) => rewrite(cli, 'delete from signing_keys'), 'keys', 'fault', [/has no signing key/]],
  ['a clock that may be ahead', (cli) => lastSignIn(cli, 6 * day), 'clock', 'warning', [/the last sign-in .* was at/]],
  [
    'a service without sign-ins over a long weekend',
    (cli) => lastSignIn(cli, 4 * day),
    'clock',
    'ok',
    [/the last sign-in .* was at/],
  ],
  [
    'a clock that was ahead and is right since the last sign-in',
    (cli) => {
      lastSignIn(cli, -400 * day)
      lastSignIn(cli, 0)
    },
    'clock',
    'ok',
    [/^it is \S+Z$/],
  ],
  [
    'hashes that are slow here',
    (cli) => changeSettings(cli, { passwords: { memoryKiB: 262_144, passes: 8 } }),
    'hash cost',
    'warning',
    [/ ms for one password/],
  ],
]

for (const [what, prepare, check, level, messages] of rows) {
  test(`doctor says so of ${what}`, async (t) => {
    const cli = await createCli(t)
    const found = await examine(t, cli, '', (await prepare(cli)) ?? {})
    for (const message of messages)
      t.ok(
        found.some((finding) => finding.check === check && finding.level === level && message.test(finding.message)),
        `${message}: ${JSON.stringify(found)}`,
      )
  })
}
