import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import { openDatabase } from '../../../db/index.js'

export interface OlderUser {
  id: number
  username: string
  email: string | null
  emailKey: string | null
  phone?: string | null
}

/** Makes a SQLite database as it was after the migration `last`, with users whose contacts are verified; returns it, opened, not migrated yet. */
export const openOlderDatabase = async (
  t: Test,
  last: string,
  users: OlderUser[],
  verified: (key: string) => string,
  prepare: (file: Sqlite.Database) => void = () => undefined,
) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const create = await openDatabase('sqlite:test.db', directory)
  await create.migrate({ last })
  await create.close()
  const file = new Sqlite(join(directory, 'test.db'))
  file.exec(`insert or ignore into tenants (id, tenant_name, tenant_name_key, enabled, create_time, update_time)
    values (1, 'Default', 'default', 1, 1, 1)`)
  const insert =
    file.prepare(`insert into users (id, tenant_id, username, username_key, real_name, real_name_key, user_type, gender,
    user_status, force_password_change, login_count, create_time, update_time, email, email_key, phone, phone_key)
    values (?, 1, ?, ?, ?, ?, 2, 0, 1, 0, 0, 1, 1, ?, ?, ?, ?)`)
  const verify = file.prepare('insert into verified_contacts (user_id, contact, time) values (?, ?, 1)')
  for (const { id, username, email, emailKey, phone = null } of users) {
    insert.run(id, username, username, username, username, email, emailKey, phone, phone)
    if (emailKey !== null) verify.run(id, verified(emailKey))
    if (phone !== null) verify.run(id, phone)
  }
  prepare(file)
  file.close()
  const db = await openDatabase('sqlite:test.db', directory)
  t.teardown(() => db.close())
  return db
}
