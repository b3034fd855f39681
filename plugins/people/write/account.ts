import { emailKey } from '../../../db/email-key.js'
import { fold } from '../../../db/fold.js'
import type { Repositories } from '../../../db/index.js'
import type { TemporaryFile } from '../../../db/temporary-file.js'
import type { NewUser, User } from '../../../db/repositories/users.js'
import { userTypes } from '../../../schemas/user.js'
import type { Needs } from '../../../lib/needs.js'
import { invalidField, isProblem, problem } from '../../../lib/problem.js'
import { createLoopTime } from '../../../lib/loop-time.js'
import { randomId } from '../../../lib/random-id.js'
import type { Fault } from '../../../lib/violations.js'
import type { Lookups } from './lookups.js'
import { checkFree, type UniqueNames } from './free-names.js'
import { checkName } from './names.js'
import { checkPicture } from './pictures.js'
import { checkNewUserName } from './user-names.js'

/** The fields of `NewUser` that are taken as they are. */
type PlainFields = Omit<
  NewUser,
  'tenantId' | 'username' | 'realName' | 'userType' | 'phone' | 'email' | 'passwordHash' | 'forcePasswordChange'
>

export interface AccountToAdd extends PlainFields {
  username: string
  /** Without a password and a hash the user cannot sign in by password. */
  password?: string | undefined
  /** A hash from another system, instead of a password. */
  passwordHash?: string | undefined
  /** Of an authenticator app that the user has at another system, base32. */
  totpSecret?: string | undefined
  realName?: string | undefined
  phone?: string | undefined
  email?: string | undefined
  tenantId?: number | undefined
  /** Id or name, instead of `tenantId`. */
  tenant?: string | undefined
  userType?: number | undefined
  /** Role keys of the tenant. */
  roles?: string[] | undefined
  forcePasswordChange: boolean
}

export interface EncryptedApp {
  id: string
  encryptedSecret: string
}

/** An account whose fields are valid. Whether its names are taken is checked when it is written. */
export interface CheckedAccount {
  user: NewUser
  /** Not hashed yet. */
  password?: string | undefined
  /** Not encrypted yet. */
  totpSecret?: string | undefined
  /** An authenticator app of another system, as it is stored. */
  app?: EncryptedApp | undefined
  roleIds: number[]
}

/** What there is of an account, whatever else is wrong with it. */
export interface ExaminedAccount {
  /** Its unique values that are valid, if its tenant is known. */
  names?: UniqueNames
  /** Absent if anything is wrong. */
  account?: CheckedAccount
}

/** What a service account does not have: it signs in by API tokens only. */
const notOfServices = ['password', 'passwordHash', 'totpSecret', 'phone', 'email'] as const

/** Of an imported app. */
const appName = 'Authenticator app'

/** Runs checks and collects their faults, so that one answer reports all of them. */
export const createCollector =
  (faults: Fault[]) =>
  async <T>(check: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await check()
    } catch (error) {
      if (!isProblem(error) || error.code !== 'invalid_request') throw error
      faults.push(...(error.details.faults ?? []))
      return undefined
    }
  }

/** Runs `check` and returns the faults of an `invalid_request`. Other errors are thrown. */
export const faultsOf = async (check: () => Promise<unknown>): Promise<Fault[]> => {
  const faults: Fault[] = []
  await createCollector(faults)(check)
  return faults
}

export type AccountNeeds = Needs<'clock' | 'contacts' | 'encryption' | 'passwords' | 'secondFactor'>

/** Checks and writes new accounts, single ones and those of an import. */
export const createAccounts = (
  { clock, contacts, encryption, passwords, secondFactor }: AccountNeeds,
  { findTenant, findTenantNamed, knownRole }: Pick<Lookups, 'findTenant' | 'findTenantNamed' | 'knownRole'>,
) => {
  const loopTime = createLoopTime()

  const encryptTotp = (secret: string): EncryptedApp => {
    const id = randomId()
    return { id, encryptedSecret: encryption.encrypt(secret, secondFactor.purposeOf(id)) }
  }

  const checkCredential = ({ username, password, passwordHash, forcePasswordChange }: AccountToAdd, tenant: string) => {
    if (password !== undefined && passwordHash !== undefined) throw invalidField('passwordHash', 'one_password')
    // A hash in the password column would become the password: readers of the file could sign in, the owner could not.
    if (password !== undefined && passwords.looksLikeHash(password)) throw invalidField('password', 'is_hash')
    if (password !== undefined) passwords.check('password', password, [username, tenant])
    else if (passwordHash === undefined && forcePasswordChange) throw invalidField('password', 'required')
    if (passwordHash !== undefined && !passwords.isUsable(passwordHash))
      throw invalidField('passwordHash', 'password_hash')
  }

  /** Throws `invalid_request` for what a service account does not have. */
  const checkService = (account: AccountToAdd): void => {
    for (const field of notOfServices) if (account[field] !== undefined) throw invalidField(field, 'service_account')
    if (account.forcePasswordChange) throw invalidField('forcePasswordChange', 'service_account')
  }

  const readRoles = async (field: string, keys: string[], tenantId: number): Promise<number[]> => {
    const ids: number[] = []
    const unknown: string[] = []
    for (const key of keys) {
      await loopTime.next()
      const role = await knownRole(key, tenantId)
      if (role) ids.push(role.id)
      else unknown.push(key)
    }
    if (unknown.length > 0) throw invalidField(field, 'unknown_role_keys', { keys: unknown })
    return ids
  }

  /** The values that must be unique in a tenant, by field. */
  const keysOf = ({ tenantId, username, phone, email }: UniqueNames) =>
    Object.entries({ username: username && fold(username), phone: phone?.key, email: email && emailKey(email) })
      .filter(([, name]) => name)
      .map(([field, name]) => ({ field, name: `${tenantId} ${field} ${name}` }))

  /** Checks all fields, and adds what is wrong to `faults`. `rolesField` is what the caller calls the field with the roles. */
  const examine = async (account: AccountToAdd, faults: Fault[], rolesField = 'roles'): Promise<ExaminedAccount> => {
    const { password, passwordHash = null, totpSecret, roles = [], tenantId, tenant: tenantText, ...fields } = account
    const { username, realName = username, userType = userTypes.user } = fields
    const collect = createCollector(faults)
    const name = await collect(() => {
      checkName('username', username)
      return username
    })
    if (account.realName !== undefined) await collect(() => checkName('realName', realName))
    const phone = await collect(() => contacts.checkNewPhone(account.phone))
    await collect(() => checkPicture(fields.avatar))
    const email = await collect(() => contacts.checkNewEmail(account.email))
    await collect(() => checkNewUserName(username, { phoneKey: phone?.key, email }, contacts))
    const tenant = await collect(() => (tenantText === undefined ? findTenant(tenantId) : findTenantNamed(tenantText)))
    let roleIds: number[] = []
    if (tenant) {
      await collect(async () => {
        roleIds = await readRoles(rolesField, roles, tenant.id)
      })
      await collect(() =>
        userType === userTypes.service ? checkService(account) : checkCredential(account, tenant.name),
      )
    }
    if (!tenant) return {}
    const names = { tenantId: tenant.id, username: name, phone, email }
    if (faults.length > 0) return { names }
    const user = { ...fields, realName, userType, phone, email, tenantId: tenant.id, passwordHash }
    return { names, account: { user, password, totpSecret, roleIds } }
  }

  return {
    examine,

    /** Claims the unique values of an account for a line of an import. Returns a fault for each that another line has claimed. */
    claim(claimed: Pick<TemporaryFile<never>, 'claimedBy' | 'claim'>, names: UniqueNames, line: number): Fault[] {
      const keys = keysOf(names).map(({ field, name }) => ({ field, name, other: claimed.claimedBy(name) }))
      claimed.claim(
        keys.filter(({ other }) => other === undefined).map(({ name }) => name),
        line,
      )
      return keys.flatMap(({ field, other }) =>
        other === undefined ? [] : [{ field, rule: 'same_as_line' as const, parameters: { line: other } }],
      )
    },

    /** Checks all fields. Throws `invalid_request` with all faults. */
    async check(account: AccountToAdd, faults: Fault[] = [], rolesField?: string): Promise<CheckedAccount> {
      const { account: checked } = await examine(account, faults, rolesField)
      if (!checked) throw problem('invalid_request', { faults })
      return checked
    },

    /** Makes of secrets what is stored of them. */
    async hashPassword({ password, totpSecret, ...checked }: CheckedAccount): Promise<CheckedAccount> {
      const account = totpSecret === undefined ? checked : { ...checked, app: encryptTotp(totpSecret) }
      if (password === undefined) return account
      return { ...account, user: { ...account.user, passwordHash: await passwords.hash(password) } }
    },

    /** Writes an account, inside a transaction. Throws `invalid_request` when a name or contact is taken. */
    async write({ users, roles }: Repositories, account: CheckedAccount): Promise<User> {
      const added = await users.addUnlessTaken(account.user, clock.now())
      if (!added) {
        await checkFree(users, account.user)
        throw new Error('The account was not added, although none of its names is taken')
      }
      await roles.assignMany([...new Set(account.roleIds)].map((roleId) => ({ userId: added.id, roleId })))
      return added
    },

    /** Writes many accounts. Resolves to their ids, with undefined for each account whose name or contact is taken. */
    async writeMany(
      { users, roles, totpSecrets }: Repositories,
      accounts: CheckedAccount[],
    ): Promise<(number | undefined)[]> {
      const createTime = clock.now()
      const ids = await users.addMany(accounts.map(({ user }) => ({ ...user, createTime })))
      const grants = accounts.flatMap(({ roleIds }, index) => {
        const userId = ids[index]
        return userId === undefined ? [] : [...new Set(roleIds)].map((roleId) => ({ userId, roleId }))
      })
      await roles.assignMany(grants)
      for (const [index, { app }] of accounts.entries()) {
        const userId = ids[index]
        if (userId === undefined || !app) continue
        await totpSecrets.add({ ...app, userId, name: appName, lastStep: 0, createTime, lastUsedTime: null })
        await users.setHasSecondFactor(userId, true, createTime)
      }
      return ids
    },
  }
}

export type Accounts = ReturnType<typeof createAccounts>
