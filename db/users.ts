import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import { userStatuses } from '../schemas/user.js'
import { compileOnce } from './compile-once.js'
import { fold } from './fold.js'
import { createInsertMany } from './insert-many.js'
import type { Tables, UserTable } from './tables.js'

export interface User {
  id: number
  tenantId: number
  username: string
  realName: string
  userType: number
  gender: number
  phone: string | null
  email: string | null
  avatar: string | null
  userStatus: number
  passwordHash: string | null
  forcePasswordChange: boolean
  /** When the password was set; null when that is not known. */
  passwordTime: number | null
  remark: string | null
  /** Epoch milliseconds, as all times here. */
  lastLoginTime: number | null
  lastLoginIp: string | null
  loginCount: number
  createTime: number
  updateTime: number
}

/** A phone number in its two forms: as people write it, and E.164. */
export interface Phone {
  display: string
  key: string
}

export interface NewUser {
  tenantId: number
  username: string
  realName: string
  userType: number
  phone?: Phone | undefined
  email?: string | undefined
  passwordHash: string | null
  forcePasswordChange: boolean
  /** Absent means 0, unknown. */
  gender?: number | undefined
  /** Absent means normal. */
  userStatus?: number | undefined
  remark?: string | undefined
}

/** A user with a past. What is absent is as in a new account. */
export interface UserWithHistory extends NewUser {
  lastLoginTime?: number
  lastLoginIp?: string
  loginCount?: number
  createTime: number
  updateTime?: number
}

export const toUser = (row: Selectable<UserTable>): User => ({
  id: row.id,
  tenantId: row.tenant_id,
  username: row.username,
  realName: row.real_name,
  userType: row.user_type,
  gender: row.gender,
  phone: row.phone,
  email: row.email,
  avatar: row.avatar,
  userStatus: row.user_status,
  passwordHash: row.password_hash,
  forcePasswordChange: row.force_password_change === 1,
  passwordTime: row.password_time,
  remark: row.remark,
  lastLoginTime: row.last_login_time,
  lastLoginIp: row.last_login_ip,
  loginCount: row.login_count,
  createTime: row.create_time,
  updateTime: row.update_time,
})

/** What a user needs to know of the tenant. */
export interface UserTenant {
  id: number
  name: string
  enabled: boolean
}

export const toUserTenant = (row: { tenant_id: number; tenant_name: string; enabled: number }): UserTenant => ({
  id: row.tenant_id,
  name: row.tenant_name,
  enabled: row.enabled === 1,
})

const toRow = (user: UserWithHistory): Insertable<UserTable> => ({
  tenant_id: user.tenantId,
  username: user.username,
  username_key: fold(user.username),
  real_name: user.realName,
  real_name_key: fold(user.realName),
  user_type: user.userType,
  gender: user.gender ?? 0,
  phone: user.phone?.display ?? null,
  phone_key: user.phone?.key ?? null,
  email: user.email ?? null,
  email_key: user.email === undefined ? null : fold(user.email),
  avatar: null,
  user_status: user.userStatus ?? userStatuses.normal,
  password_hash: user.passwordHash,
  force_password_change: user.forcePasswordChange ? 1 : 0,
  password_time: user.createTime,
  remark: user.remark ?? null,
  last_login_time: user.lastLoginTime ?? null,
  last_login_ip: user.lastLoginIp ?? null,
  login_count: user.loginCount ?? 0,
  create_time: user.createTime,
  update_time: user.updateTime ?? user.createTime,
})

const selectById = compileOnce((db) => db.selectFrom('users').selectAll().where('id', '=', 0))
const selectByName = (column: 'username_key' | 'phone_key' | 'email_key') =>
  compileOnce((db) => db.selectFrom('users').selectAll().where('tenant_id', '=', 0).where(column, '=', ''))
const selectBy = {
  username: selectByName('username_key'),
  phone: selectByName('phone_key'),
  email: selectByName('email_key'),
}
const selectWithTenant = compileOnce((db) =>
  db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('users')
    .select(['tenants.tenant_name', 'tenants.enabled'])
    .where('users.id', '=', 0),
)
const updateLogin = compileOnce((db) =>
  db
    .updateTable('users')
    .set((row) => ({ last_login_time: 0, last_login_ip: '', login_count: row('login_count', '+', 1) }))
    .where('id', '=', 0),
)
/** Those whose name, phone number and address are free. */
const insertFree = createInsertMany((db, rows: Insertable<UserTable>[]) =>
  db
    .insertInto('users')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'tenant_id', 'username_key']),
)

export type UserRepository = ReturnType<typeof createUserRepository>

export const createUserRepository = (db: Kysely<Tables>) => {
  const findBy = async (name: keyof typeof selectBy, tenantId: number, key: string) => {
    const [row] = await selectBy[name](db, tenantId, key)
    return row && toUser(row)
  }
  const update = (id: number, change: Updateable<UserTable>) =>
    db.updateTable('users').set(change).where('id', '=', id).execute()

  return {
    async find(id: number): Promise<User | undefined> {
      const [row] = await selectById(db, id)
      return row && toUser(row)
    },

    /** The same with the tenant of the user. */
    async findWithTenant(id: number): Promise<{ user: User; tenant: UserTenant } | undefined> {
      const [row] = await selectWithTenant(db, id)
      return row && { user: toUser(row), tenant: toUserTenant(row) }
    },

    findByUsername: (tenantId: number, username: string) => findBy('username', tenantId, fold(username)),
    findByPhone: (tenantId: number, phone: Phone) => findBy('phone', tenantId, phone.key),
    findByEmail: (tenantId: number, email: string) => findBy('email', tenantId, fold(email)),

    /** Those who have a password, by id, up to `limit` of them after the id `last`. */
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

    /** The highest id so far, 0 when there is nobody. */
    async highestId(): Promise<number> {
      const row = await db.selectFrom('users').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row?.id ?? 0
    },

    async isEmpty(): Promise<boolean> {
      return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
    },

    async add(user: NewUser, now: number): Promise<User> {
      const row = toRow({ ...user, createTime: now })
      return toUser(await db.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow())
    },

    /**
     * Adds those of `users` whose name, phone number and e-mail address are free in their tenant; of two alike, the first.
     * Returns their ids in the order of `users`, undefined for those left out.
     */
    async addMany(users: UserWithHistory[]): Promise<(number | undefined)[]> {
      const rows = users.map(toRow)
      const added = await insertFree(db, rows)
      const nameOf = (row: { tenant_id: number; username_key: string }) => `${row.tenant_id} ${row.username_key}`
      const ids = new Map(added.map((row) => [nameOf(row), row.id]))
      return rows.map((row) => {
        const id = ids.get(nameOf(row))
        // Another of this name has not been added.
        ids.delete(nameOf(row))
        return id
      })
    },

    /** Undefined, with nothing added, when somebody in the tenant has the name, the phone number or the address. */
    async addUnlessTaken(user: NewUser, now: number): Promise<User | undefined> {
      const row = await db
        .insertInto('users')
        .values(toRow({ ...user, createTime: now }))
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toUser(row)
    },

    async setPassword(id: number, passwordHash: string, forcePasswordChange: boolean, now: number): Promise<void> {
      await update(id, {
        password_hash: passwordHash,
        force_password_change: forcePasswordChange ? 1 : 0,
        password_time: now,
        update_time: now,
      })
    },

    /** Replaces a hash by a stronger one of the same password, unless the password has been changed meanwhile. */
    async rehash(id: number, oldHash: string, newHash: string): Promise<boolean> {
      const result = await db
        .updateTable('users')
        .set({ password_hash: newHash })
        .where('id', '=', id)
        .where('password_hash', '=', oldHash)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async setStatus(id: number, userStatus: number, now: number): Promise<void> {
      await update(id, { user_status: userStatus, update_time: now })
    },

    async recordLogin(id: number, address: string, now: number): Promise<void> {
      await updateLogin(db, now, address, 1, id)
    },
  }
}
