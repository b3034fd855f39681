import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { test } from 'tap'
import { tables } from '../tables.js'

test('what people allowed is kept when the tables are made anew', async (t) => {
  const sqlite = new Sqlite(':memory:')
  sqlite.pragma('foreign_keys = on')
  const db = new Kysely<any>({ dialect: new SqliteDialect({ database: sqlite }) })
  t.teardown(() => db.destroy())
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .execute()
  await db.schema
    .createTable('tenants')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .execute()
  const migrations = tables.migrations({} as never, () => undefined)
  const run = (name: string) => migrations[name]?.up(db)
  await run('0001-applications')
  await db.insertInto('users').values({ id: 7 }).execute()
  await db.insertInto('tenants').values({ id: 1 }).execute()
  const client = { id: 'grafana', tenant_id: 1, name: 'Grafana', metadata: '{}', create_time: 1, update_time: 1 }
  await db.insertInto('provider_clients').values(client).execute()
  const times = { create_time: 2, last_used_time: 3 }
  const consent = { user_id: 7, client_id: 'grafana', scopes: 'openid profile', ...times }
  const grant = { id: 'a', ...consent, session_id: 's', sid: 'b', expiry: 9 }
  await db.insertInto('provider_consents').values(consent).execute()
  await db.insertInto('provider_grants').values(grant).execute()
  const entry = { id_hash: 'x', kind: 'AccessToken', payload: 'p', user_id: 7, is_offline: 0, expiry: 9 }
  await db.insertInto('provider_entries').values(entry).execute()
  await run('0002-documents-and-ages')
  t.same(await db.selectFrom('provider_consents').selectAll().execute(), [consent])
  t.same(await db.selectFrom('provider_grants').selectAll().execute(), [grant])
  t.match(await db.selectFrom('provider_entries').selectAll().execute(), [{ ...entry, create_time: 0 }])
  const agent = { ...consent, client_id: 'https://agent.example.com/client.json' }
  await db.insertInto('provider_consents').values(agent).execute()
  await t.rejects(
    db
      .insertInto('provider_grants')
      .values({ ...grant, id: 'c' })
      .execute(),
    'one for each session',
  )
  await db.deleteFrom('users').execute()
  for (const name of ['provider_consents', 'provider_grants', 'provider_entries'])
    t.same(await db.selectFrom(name).selectAll().execute(), [], name)
})
