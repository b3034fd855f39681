import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { copyDatabase } from '../../db/copy/copy-database.js'
import { keptTables } from '../../db/repositories/kept.js'
import { openDatabase } from '../../db/index.js'
import { addTenant } from '../contract/engines.js'
import { createPostgres, isPostgresThere, runSql, skipped } from '../helpers/databases/postgres.js'

const createDirectory = (t: Test): string => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  return directory
}

const engines = {
  SQLite: { create: async () => 'sqlite:source.db', skip: false },
  PostgreSQL: { create: (t: Test) => createPostgres(t), skip: (await isPostgresThere()) ? false : skipped },
} as const

/** A migrated database at `url`. */
const open = async (t: Test, url: string, directory: string) => {
  const db = await openDatabase(url, directory)
  t.teardown(() => db.close())
  await db.migrate()
  return db
}

const copy = (from: string, to: string, directory: string, progress: () => void = () => undefined) =>
  copyDatabase({
    from,
    to,
    directory,
    hasStore: false,
    keepsSource: true,
    signal: new AbortController().signal,
    progress,
  })

for (const [name, { create, skip }] of Object.entries(engines)) {
  test(`a copy has the rows of one moment, while others write (${name})`, { skip }, async (t) => {
    const directory = createDirectory(t)
    const from = await create(t)
    const source = await open(t, from, directory)
    const { newUser, addUser } = await addTenant(source)
    await source.users.addMany(
      Array.from({ length: 2500 }, (_, index) => ({ ...newUser(`user${index}`), createTime: 1 })),
    )
    const writes: Promise<unknown>[] = []
    const { rows } = await copy(from, 'sqlite:copy.db', directory, () => writes.push(addUser(`later${writes.length}`)))
    await Promise.all(writes)
    t.ok(writes.length >= 3, `${writes.length} users were added meanwhile`)
    t.equal(rows.users, 2500)
    const file = new Sqlite(join(directory, 'copy.db'), { readonly: true })
    t.equal(file.prepare(`select count(*) from users where username like 'later%'`).pluck().get(), 0)
    file.close()
  })

  test(`every table is copied, or made by the engine itself (${name})`, { skip }, async (t) => {
    const directory = createDirectory(t)
    const url = await create(t)
    await open(t, url, directory)
    const names: string[] = url.startsWith('sqlite:')
      ? new Sqlite(join(directory, 'source.db'))
          .prepare<[], string>(`select name from sqlite_master where type = 'table'`)
          .pluck()
          .all()
      : (await runSql(url, `select tablename as name from pg_tables where schemaname = 'public'`)).map(
          ({ name }) => name,
        )
    const isOfEngine = (name: string) =>
      /^(sqlite_|kysely_|user_grams|user_name_changes$|user_changes$)|_migration(_lock)?$/.test(name)
    t.same(names.filter((name) => !isOfEngine(name)).sort(), keptTables.map((table) => table.name).sort())
  })

  test(`what refers to a user is deleted with the user, or said to stay (${name})`, { skip }, async (t) => {
    const directory = createDirectory(t)
    const url = await create(t)
    await open(t, url, directory)
    const found: string[] = url.startsWith('sqlite:')
      ? new Sqlite(join(directory, 'source.db'))
          .prepare<[], string>(
            `select m.name || '.' || f."from" from sqlite_master m, pragma_foreign_key_list(m.name) f
             where m.type = 'table' and f."table" = 'users' and f.on_delete = 'CASCADE'`,
          )
          .pluck()
          .all()
      : (
          await runSql(
            url,
            `select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
             join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
             where c.contype = 'f' and c.confrelid = 'users'::regclass and c.confdeltype = 'c'`,
          )
        ).map(({ name }) => name)
    const said = keptTables.flatMap(({ name, ofUser }) => (ofUser === undefined ? [] : `${name}.${ofUser}`))
    t.same(found.sort(), said.sort())
  })
}

const { skip } = engines.PostgreSQL

test('a target that stores other rows than the source is found out and stays empty', { skip }, async (t) => {
  const directory = createDirectory(t)
  const source = await open(t, 'sqlite:source.db', directory)
  await (await addTenant(source)).addUser('alice')
  const url = await createPostgres(t)
  await open(t, url, directory)
  await runSql(url, `create rule spoil as on insert to users do also update users set remark = 'spoilt'`)
  await t.rejects(copy('sqlite:source.db', url, directory), /^The target has other rows in table users than the source/)
  t.same(await runSql(url, 'select id from tenants union all select id from users'), [])
  await runSql(url, 'drop rule spoil on users')
  t.match(await copy('sqlite:source.db', url, directory), { rows: { users: 1 } })
  t.same(await runSql(url, 'select * from user_changes'), [], 'nobody has read anything that the log could be about')
  await runSql(url, `update users set remark = 'changed'`)
  t.match(await runSql(url, 'select kind from user_changes'), [{ kind: 'profile' }], 'later changes are logged')
})

test('a text that PostgreSQL cannot store is named, and nothing is copied', { skip }, async (t) => {
  const directory = createDirectory(t)
  const source = await open(t, 'sqlite:source.db', directory)
  const { id } = await (await addTenant(source)).addUser('alice')
  new Sqlite(join(directory, 'source.db')).exec(`update users set remark = 'a' || char(0) || 'b'`).close()
  const url = await createPostgres(t)
  const message = `cannot store the NUL character in remark of table users (id ${id})`
  const error = await copy('sqlite:source.db', url, directory).catch((fault: unknown) => fault as Error)
  t.ok((error as Error).message.includes(message), (error as Error).message)
  t.same(await runSql(url, 'select id from tenants'), [])
})

test(
  'numbers that cannot be given out again go with the copy, also to a target that has failed once',
  { skip },
  async (t) => {
    const directory = createDirectory(t)
    const source = await open(t, 'sqlite:source.db', directory)
    const { addUser } = await addTenant(source)
    for (const name of ['alice', 'bob', 'carol']) await addUser(name)
    new Sqlite(join(directory, 'source.db')).exec('pragma foreign_keys = on; delete from users where id > 1').close()
    const url = await createPostgres(t)
    await copy('sqlite:source.db', url, directory)
    await copy(url, 'sqlite:back.db', directory)
    for (const one of [url, 'sqlite:back.db']) {
      const db = await open(t, one, directory)
      const [tenant] = await db.tenants.list()
      const added = await db.users.add(
        {
          tenantId: tenant?.id ?? 0,
          username: 'dora',
          realName: '',
          userType: 2,
          passwordHash: null,
          forcePasswordChange: false,
        },
        1,
      )
      t.equal(added.id, 4, one)
    }
  },
)

for (const [name, { create, skip }] of Object.entries(engines)) {
  test(`a copy has everything about second factors (${name})`, { skip }, async (t) => {
    const directory = createDirectory(t)
    const from = await create(t)
    const source = await open(t, from, directory)
    const { addUser } = await addTenant(source)
    const { id: userId } = await addUser('alice')
    const owned = { userId, name: 'Mine', createTime: 1, lastUsedTime: null }
    await source.totpSecrets.add({ ...owned, id: 'app', encryptedSecret: 'sealed', lastStep: 5 })
    await source.passkeys.add({
      ...{ ...owned, id: 'key', credentialId: 'credential', publicKey: 'cHVibGlj', signCount: 7, discoverable: null },
      ...{ backupEligible: true, backedUp: true, userVerified: true, transports: ['usb'], aaguid: 'a', rpId: 'b' },
    })
    await source.recoveryCodes.replace(userId, ['one', 'two'])
    const device = { id: 'trust', userId, deviceId: 'cookie', userAgent: 'Mozilla', address: '192.0.2.1' }
    await source.trustedDevices.set({ ...device, createTime: 1, lastUsedTime: null, expiry: 9 })
    await source.factorStates.keepHandle(userId, 'handle')
    await source.factorStates.keepDeadline(userId, 9)
    await source.users.setHasSecondFactor(userId, true, 2)
    await source.tenants.setSecondFactorRequired(1, true, 2)
    const read = async (db: typeof source) => ({
      apps: await db.totpSecrets.ofUser(userId),
      passkeys: await db.passkeys.ofUser(userId),
      codes: await db.recoveryCodes.left(userId),
      devices: await db.trustedDevices.ofUser(userId, 1),
      state: await db.factorStates.find(userId),
      user: (await db.users.find(userId))?.hasSecondFactor,
      tenant: (await db.tenants.find(1))?.secondFactorRequired,
    })
    const before = await read(source)
    t.match(before, { codes: 2, user: true, tenant: true, state: { setupDeadline: 9 }, devices: [{ expiry: 9 }] })
    await copy(from, 'sqlite:copy.db', directory)
    t.strictSame(await read(await open(t, 'sqlite:copy.db', directory)), before)
  })
}
