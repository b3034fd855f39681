import { sql, type Insertable, type Kysely, type Updateable } from 'kysely'
import type { Keeps } from '../keeps.js'
import { remember } from '../../lib/remember.js'
import { emailKey } from '../email-key.js'
import { fold } from '../fold.js'
import { compileInsert, compileQuery } from '../query.js'
import type { Tables, UserTable } from '../tables.js'
import {
  tenantColumns,
  toUser,
  toUserChange,
  toUserRow,
  toUserTenant,
  type NewUser,
  type Phone,
  type User,
  type UserChange,
  type UserTenant,
  type UserWithHistory,
} from './user-rows.js'

export type { NewUser, Phone, User, UserChange, UserTenant, UserWithHistory } from './user-rows.js'

/** What this repository keeps. */
export const keeps = {
  users: { key: ['id'] },
} satisfies Keeps

const selectById = compileQuery((db, { id }: { id: number }) => db.selectFrom('users').selectAll().where('id', '=', id))
const selectByName = (column: 'username_key' | 'phone_key' | 'email_key') =>
  compileQuery((db, { tenantId, key }: { tenantId: number; key: string }) =>
    db.selectFrom('users').selectAll().where('tenant_id', '=', tenantId).where(column, '=', key),
  )
const selectBy = {
  username: selectByName('username_key'),
  phone: selectByName('phone_key'),
  email: selectByName('email_key'),
}
const selectWithTenant = compileQuery((db, { id }: { id: number }) =>
  db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('users')
    .select(tenantColumns)
    .where('users.id', '=', id),
)
interface LastLogin {
  id: number
  address: string
  /** Null leaves the one that is known. */
  language: string | null
  now: number
}

/** Whoever has come is no longer invited. */
const updateLogin = compileQuery((db, { id, address, language, now }: LastLogin) =>
  db
    .updateTable('users')
    .set((row) => ({
      last_login_time: now,
      last_login_ip: address,
      login_count: row('login_count', '+', 1),
      invited_time: null,
      language: sql<string | null>`coalesce(${language}, language)`,
    }))
    .where('id', '=', id),
)
/** Sets of columns whose updates are kept. */
const maxUpdates = 100
/**
 * Compiled updates by the names of the changed columns. `update_time` grows with each change, even within one millisecond, because
 * clients compare it.
 */
const updates = remember(maxUpdates, () =>
  compileQuery((db, { id, changes, now }: { id: number; changes: Updateable<UserTable>[]; now: number }) =>
    db
      .updateTable('users')
      .set({
        ...changes[0],
        update_time: sql<number>`case when update_time < ${now} then ${now} else update_time + 1 end`,
      })
      .where('id', '=', id)
      .returningAll(),
  ),
)
/** Skips rows whose name, phone number or e-mail address is taken. */
const insertFree = compileInsert((db, rows: Insertable<UserTable>[]) =>
  db
    .insertInto('users')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'tenant_id', 'username_key']),
)

export type UserRepository = ReturnType<typeof createUserRepository>

export const createUserRepository = (db: Kysely<Tables>) => {
  const findBy = async (name: keyof typeof selectBy, tenantId: number, key: string) => {
    const [row] = await selectBy[name](db, { tenantId, key })
    return row && toUser(row)
  }
  /** Returns the user as changed; undefined when it does not exist. */
  const update = async (id: number, change: Updateable<UserTable>, now: number): Promise<User | undefined> => {
    const values = Object.fromEntries(Object.entries<unknown>(change).filter(([, value]) => value !== undefined))
    const [row] = await updates.of(Object.keys(values).join(' '))(db, { id, changes: [values], now })
    return row && toUser(row)
  }

  return {
    async find(id: number): Promise<User | undefined> {
      const [row] = await selectById(db, { id })
      return row && toUser(row)
    },

    async findMany(ids: number[]): Promise<User[]> {
      if (ids.length === 0) return []
      return (await db.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id').execute()).map(toUser)
    },

    /** A user with its tenant. */
    async findWithTenant(id: number): Promise<{ user: User; tenant: UserTenant } | undefined> {
      const [row] = await selectWithTenant(db, { id })
      return row && { user: toUser(row), tenant: toUserTenant(row) }
    },

    findByUsername: (tenantId: number, username: string) => findBy('username', tenantId, fold(username)),
    findByPhone: (tenantId: number, phone: Phone) => findBy('phone', tenantId, phone.key),
    findByEmail: (tenantId: number, email: string) => findBy('email', tenantId, emailKey(email)),

    /** Password hashes of up to `limit` users after the id `last`, in the order of ids. */
    async passwordHashes(
      last: number,
      limit: number,
    ): Promise<{ id: number; tenantId: number; passwordHash: string }[]> {
      const rows = await db
        .selectFrom('users')
        .select(['id', 'tenant_id', 'password_hash'])
        .where('id', '>', last)
        .where('password_hash', 'is not', null)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ id: row.id, tenantId: row.tenant_id, passwordHash: row.password_hash ?? '' }))
    },

    /** By what up to `limit` users after the id `last` sign in, in the order of ids. */
    async signInColumns(last: number, limit: number) {
      const rows = await db
        .selectFrom('users')
        .select(['id', 'tenant_id', 'username', 'phone_key', 'email', 'email_key', 'password_hash'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        tenantId: row.tenant_id,
        username: row.username,
        phoneKey: row.phone_key,
        email: row.email,
        emailKey: row.email_key,
        passwordHash: row.password_hash,
      }))
    },

    /** The highest id, 0 when there are no users. */
    async highestId(): Promise<number> {
      const row = await db.selectFrom('users').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row?.id ?? 0
    },

    async isEmpty(): Promise<boolean> {
      return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
    },

    async add(user: NewUser, now: number): Promise<User> {
      const row = toUserRow({ ...user, createTime: now })
      return toUser(await db.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow())
    },

    /**
     * Adds the users whose name, phone number and e-mail address are free in their tenant; of two equal ones, the
     * first. Returns the ids in the order of `users`, undefined for a user that was not added.
     */
    async addMany(users: UserWithHistory[]): Promise<(number | undefined)[]> {
      const rows = users.map(toUserRow)
      const added = await insertFree(db, rows)
      const nameOf = (row: { tenant_id: number; username_key: string }) => `${row.tenant_id} ${row.username_key}`
      const ids = new Map(added.map((row) => [nameOf(row), row.id]))
      return rows.map((row) => {
        const id = ids.get(nameOf(row))
        // A second user of this name was not added.
        ids.delete(nameOf(row))
        return id
      })
    },

    /**
     * Returns undefined, and adds nothing, when the name, the phone number or the e-mail address is taken in the
     * tenant.
     */
    async addUnlessTaken(user: NewUser, now: number): Promise<User | undefined> {
      const row = await db
        .insertInto('users')
        .values(toUserRow({ ...user, createTime: now }))
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toUser(row)
    },

    async setPassword(id: number, passwordHash: string, forcePasswordChange: boolean, now: number): Promise<void> {
      const flag = forcePasswordChange ? 1 : 0
      const credential = { password_hash: passwordHash, force_password_change: flag, password_time: now } as const
      await update(id, { ...credential, invited_time: null }, now)
    },

    async setInvited(id: number, now: number): Promise<void> {
      await update(id, { invited_time: now }, now)
    },

    /** The invitation of that time could not be delivered. A later one stays. */
    async withdrawInvitation(id: number, time: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ invited_time: null })
        .where('id', '=', id)
        .where('invited_time', '<=', time)
        .execute()
    },

    async setHasSecondFactor(id: number, has: boolean, now: number): Promise<void> {
      await update(id, { has_second_factor: has ? 1 : 0 }, now)
    },

    /** Keeps the user from signing in until `expiry`, epoch milliseconds; null ends the ban. */
    async setBan(id: number, ban: { expiry: number; reason: string | null } | null, now: number): Promise<void> {
      await update(id, { banned_until: ban?.expiry ?? null, ban_reason: ban?.reason ?? null }, now)
    },

    /** Replaces a hash by a stronger one of the same password, unless the password has changed since. */
    async rehash(id: number, oldHash: string, newHash: string): Promise<boolean> {
      const result = await db
        .updateTable('users')
        .set({ password_hash: newHash })
        .where('id', '=', id)
        .where('password_hash', '=', oldHash)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    /** Absent fields stay as they are. Resolves to the user as changed; undefined when it does not exist. */
    change: (id: number, change: UserChange, now: number): Promise<User | undefined> =>
      update(id, toUserChange(change), now),

    /** Deletes a user with its sessions, roles, identities and verified contacts. The id is never used again. */
    async remove(id: number): Promise<void> {
      await db.deleteFrom('users').where('id', '=', id).execute()
    },

    async recordLogin(id: number, address: string, now: number, language?: string): Promise<void> {
      await updateLogin(db, { id, address, language: language ?? null, now })
    },
  }
}
