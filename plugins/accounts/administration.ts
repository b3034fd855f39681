import { randomInt } from 'node:crypto'
import type { Database } from '../../db/index.js'
import type { Session } from '../../db/sessions.js'
import type { Role } from '../../db/roles.js'
import type { Tenant } from '../../db/tenants.js'
import type { User } from '../../db/users.js'
import { defaultTenantId } from '../../schemas/login.js'
import { userStatuses, userTypes } from '../../schemas/user.js'
import type { Attempts } from '../attempts/attempts.js'
import type { Clock } from '../clock.js'
import { invalidField, problem } from '../errors/problem.js'
import type { Fault } from '../errors/violations.js'
import type { Passwords } from '../passwords/index.js'
import { readEmail, readPhone } from './contacts.js'

export interface AccountToAdd {
  username: string
  password: string
  realName?: string | undefined
  phone?: string | undefined
  email?: string | undefined
  tenantId?: number | undefined
  userType?: number | undefined
  /** Role keys of the tenant. */
  roles?: string[] | undefined
  forcePasswordChange: boolean
}

interface Collaborators {
  db: Database
  passwords: Passwords
  attempts: Attempts
  clock: Clock
  phoneRegion: string
}

const longestName = 64

/** Visible characters without spaces at the ends: a name that looks like another must not differ from it. */
const isName = (text: string) =>
  text.length > 0 && [...text].length <= longestName && text.trim() === text && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text)

const checkName = (field: string, text: string): void => {
  if (!isName(text)) throw invalidField(field, 'name', { limit: longestName })
}

/** No 0 O o, 1 I l: the password is read off a screen once. */
const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const passwordLength = 20

/** A random password of about 115 bits. */
export const randomPassword = () =>
  Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('')

/** What operators do with tenants, users and roles. Everything throws `invalid_request` about the field that is wrong. */
export const createAdministration = ({ db, passwords, attempts, clock, phoneRegion }: Collaborators) => {
  const findTenant = async (id: number = defaultTenantId): Promise<Tenant> => {
    const tenant = await db.tenants.find(id)
    if (!tenant) throw invalidField('tenant', 'unknown_tenant')
    return tenant
  }
  const findUser = async (username: string, tenantId: number = defaultTenantId): Promise<User> => {
    const user = await db.users.findByUsername(tenantId, username)
    if (!user) throw invalidField('username', 'unknown_user')
    return user
  }
  const findRole = async (key: string, tenantId: number = defaultTenantId): Promise<Role> => {
    const role = await db.roles.find(tenantId, key)
    if (!role) throw invalidField('role', 'unknown_role')
    return role
  }

  const readContacts = ({ phone, email }: AccountToAdd) => {
    const contacts = {
      phone: phone === undefined ? undefined : readPhone(phone, phoneRegion),
      email: email === undefined ? undefined : readEmail(email),
    }
    const faults: Fault[] = []
    if (phone !== undefined && !contacts.phone) faults.push({ field: 'phone', rule: 'phone' })
    if (email !== undefined && !contacts.email) faults.push({ field: 'email', rule: 'email' })
    if (faults.length > 0) throw problem('invalid_request', { faults })
    return contacts
  }

  return {
    async findTenantByName(name: string): Promise<Tenant> {
      const tenant = await db.tenants.findByName(name)
      if (!tenant) throw invalidField('tenant', 'unknown_tenant')
      return tenant
    },

    async addTenant(name: string): Promise<Tenant> {
      checkName('name', name)
      // `--tenant 2` means the tenant with this id.
      if (/^\d+$/.test(name)) throw invalidField('name', 'digits_only')
      return db.transaction(async ({ tenants }) => {
        if (await tenants.findByName(name)) throw invalidField('name', 'taken')
        return tenants.add(name, clock.now())
      })
    },

    listTenants: () => db.tenants.list(),

    /** Disabling ends the sessions of all its users in the same moment, for good. */
    async setTenantEnabled(id: number, enabled: boolean): Promise<Tenant> {
      const tenant = await findTenant(id)
      await db.transaction(async ({ tenants, sessions }) => {
        await tenants.setEnabled(tenant.id, enabled, clock.now())
        if (!enabled) await sessions.endOfTenant(tenant.id, 'disabled', clock.now())
      })
      return tenant
    },

    async addUser(account: AccountToAdd): Promise<User> {
      const { username, password, realName = username, userType = userTypes.user, forcePasswordChange } = account
      checkName('username', username)
      checkName('realName', realName)
      const { phone, email } = readContacts(account)
      const tenant = await findTenant(account.tenantId)
      const roles = await Promise.all((account.roles ?? []).map((key) => findRole(key, tenant.id)))
      passwords.check('password', password, [username, tenant.name])
      const passwordHash = await passwords.hash(password)
      const tenantId = tenant.id
      const newUser = { tenantId, username, realName, userType, phone, email, passwordHash, forcePasswordChange }
      return db.transaction(async (repositories) => {
        const { users } = repositories
        if (await users.findByUsername(tenantId, username)) throw invalidField('username', 'taken')
        if (phone && (await users.findByPhone(tenantId, phone))) throw invalidField('phone', 'taken')
        if (email && (await users.findByEmail(tenantId, email))) throw invalidField('email', 'taken')
        const user = await users.add(newUser, clock.now())
        for (const role of roles) await repositories.roles.assign(user.id, role.id)
        return user
      })
    },

    /** Sets a password for somebody else; their sessions end. */
    async setPassword(
      username: string,
      password: string,
      options: { tenantId?: number | undefined; forcePasswordChange: boolean },
    ): Promise<User> {
      const tenant = await findTenant(options.tenantId)
      const user = await findUser(username, tenant.id)
      passwords.check('password', password, [user.username, tenant.name])
      const passwordHash = await passwords.hash(password)
      await db.transaction(async ({ users, sessions }) => {
        await users.setPassword(user.id, passwordHash, options.forcePasswordChange, clock.now())
        await sessions.endOfUser(user.id, 'password_changed', clock.now())
      })
      return user
    },

    /** Disabling ends the sessions of the user in the same moment. */
    async setEnabled(username: string, enabled: boolean, tenantId?: number): Promise<User> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      await db.transaction(async ({ users, sessions }) => {
        await users.setStatus(user.id, enabled ? userStatuses.normal : userStatuses.disabled, clock.now())
        if (!enabled) await sessions.endOfUser(user.id, 'disabled', clock.now())
      })
      return user
    },

    /** Live sessions of a user, latest first. */
    async listSessions(username: string, tenantId?: number): Promise<Session[]> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      return db.sessions.live(user.id, clock.now())
    },

    /** Ends one live session of a user, or, without `id`, all. */
    async endSessions(username: string, id: string | undefined, tenantId?: number): Promise<number> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      const live = (await db.sessions.live(user.id, clock.now())).map((session) => session.id)
      if (id !== undefined && !live.includes(id)) throw invalidField('session', 'unknown_session')
      const ids = id === undefined ? live : [id]
      await db.sessions.end(ids, 'revoked', clock.now())
      return ids.length
    },

    /** Lifts the pause after failed sign-ins, and the status `locked`; a disabled account stays disabled. */
    async unlock(username: string, tenantId?: number): Promise<User> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      const names = [user.username, user.phone, user.email].filter((name) => name !== null)
      for (const name of names) await attempts.unlock(user.tenantId, name)
      if (user.userStatus === userStatuses.locked) {
        await db.users.setStatus(user.id, userStatuses.normal, clock.now())
      }
      return user
    },

    async addRole(key: string, name: string, permissions: string[], tenantId?: number): Promise<Role> {
      const tenant = await findTenant(tenantId)
      checkName('role', key)
      checkName('name', name)
      checkPermissions(permissions)
      return db.transaction(async ({ roles }) => {
        if (await roles.find(tenant.id, key)) throw invalidField('role', 'taken')
        const role = await roles.add(tenant.id, key, name, clock.now())
        await roles.grant(role.id, permissions)
        return role
      })
    },

    async grant(key: string, permissions: string[], tenantId?: number): Promise<Role> {
      checkPermissions(permissions)
      const role = await findRole(key, (await findTenant(tenantId)).id)
      await db.roles.grant(role.id, permissions)
      return role
    },

    async assign(key: string, username: string, tenantId?: number): Promise<{ user: User; role: Role }> {
      const tenant = await findTenant(tenantId)
      const role = await findRole(key, tenant.id)
      const user = await findUser(username, tenant.id)
      await db.roles.assign(user.id, role.id)
      return { user, role }
    },
  }
}

const checkPermissions = (permissions: string[]): void => {
  for (const permission of permissions) {
    if (!/^(\*|[\w-]+):(\*|[\w-]+):(\*|[\w-]+)$/.test(permission)) throw invalidField('permission', 'permission')
  }
}

export type Administration = ReturnType<typeof createAdministration>
