import type { Repositories } from '../../../db/index.js'
import { toUser, toUserRow, type NewUser } from '../../../db/repositories/user-rows.js'
import type { Needs } from '../../../lib/needs.js'
import { invalidField } from '../../../lib/problem.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import { userTarget } from '../../../lib/user-target.js'
import type { SignInCheckFor } from '../../identity/login/tenant-methods.js'
import type { Administration } from '../write/administration.js'
import type { ImportListener, ImportOptions } from '../write/import.js'
import { checkGives, checkGivesType, checkKeepsPassword, isVisible, type Manager } from './policy.js'
import type { TakenContacts } from './taken-contacts.js'
import { valuesOf } from './user-values.js'

type Options = Pick<ImportOptions, 'forcePasswordChange' | 'mode' | 'batchSize' | 'signal'> & {
  /** How the audit trail calls it. */
  fileName: string
  /** Of rows without a tenant; absent for the default tenant. */
  tenantId?: number | undefined
}

/** Adds the users of a file, for requests and commands. Each user is recorded as one that is added alone, and the import as a whole. */
export const createManagedImport = (
  { accounts, audit, clock, db, login }: Needs<'accounts' | 'audit' | 'clock' | 'db' | 'login'>,
  takenContacts: TakenContacts,
) => {
  const { signInCheckFor } = login.ofTenant

  /** Whether users who are about to be added will be able to sign in, by the methods of their tenants: asked once for each tenant of a file. */
  const waysIn = () => {
    const checks = new Map<number, ReturnType<SignInCheckFor>>()
    return async (user: NewUser): Promise<boolean> => {
      const check = checks.get(user.tenantId) ?? signInCheckFor(user.tenantId)
      checks.set(user.tenantId, check)
      // Nobody has its id yet. Who is not there has no linked identities and no passkeys.
      const added = toUser({ ...toUserRow({ ...user, createTime: clock.now() }), id: 0 })
      return (await check)(added, [], [])
    }
  }

  /** A caller may add by a file what it may add one by one. A command may add everything. */
  const limitsOf = (actor: Manager) => {
    const { caller } = actor
    if (caller === undefined) return {}
    const rights: ImportOptions['rights'] = {
      isVisible: (tenantId) => isVisible(actor, tenantId),
      checkType: (userType) => checkGivesType(actor, userType),
      checkKeepsPassword: (forcePasswordChange) => checkKeepsPassword(actor, forcePasswordChange),
      checkRole: async ({ id }) => checkGives(actor, 'roles', await db.roles.permissionsOf([id])),
    }
    return { rights, hidesContacts: !seesContacts(caller), hasWayIn: waysIn() }
  }

  const recordUsers = async (inside: Repositories, actor: Manager, ids: number[]): Promise<void> => {
    const roleKeys = await inside.roles.keysOf(ids)
    const events = (await inside.users.findMany(ids)).map((user) => ({
      action: 'user.add' as const,
      target: userTarget(user),
      after: valuesOf({ user, grants: { roleKeys: roleKeys.get(user.id) ?? [] } }),
    }))
    await audit.recordAll(inside, actor, events)
  }

  /** Throws a `FileFault`, and for callers `invalid_request` when contacts of others are taken, and `too_many_requests`. */
  return async (
    actor: Manager,
    from: Parameters<Administration['importUsers']>[0],
    { fileName: name, tenantId, ...options }: Options,
    listener: ImportListener,
  ) => {
    const target = { type: 'import', id: '', name, tenantId: tenantId ?? null } as const
    const limits = limitsOf(actor)
    const addedIds = new Set<number>()
    let createTimes: { from: number; to: number } | undefined

    const onAdded = async (inside: Repositories, ids: number[]) => {
      for (const id of ids) addedIds.add(id)
      const [first] = ids
      const from = createTimes?.from ?? (first === undefined ? undefined : (await inside.users.find(first))?.createTime)
      if (from !== undefined) createTimes = { from, to: clock.now() }
      await recordUsers(inside, actor, ids)
    }
    const onKept: ImportOptions['onKept'] = (inside, added) =>
      audit.record(inside, actor, { action: 'user.import', target, after: { users: added } })
    const add = async () => {
      const settings = { ...options, ...limits, tenant: tenantId?.toString(), onAdded, onKept }
      const outcome = await accounts.importUsers(from, settings, listener)
      if (outcome.contactTaken && !outcome.interrupted) throw invalidField('file', 'contact_taken')
      return outcome
    }
    const isDryRun = options.mode === 'dryRun'
    const outcome = await (isDryRun ? add() : takenContacts.tell(actor, target, add))
    return {
      outcome,
      /** Ids of the added users. */
      addedIds: outcome.added > 0 ? [...addedIds] : [],
      /** When the first and the last of them were created. */
      createTimes: outcome.added > 0 ? createTimes : undefined,
      /** Whether contacts were compared with those of other users. */
      contactsCompared: !(isDryRun && limits.hidesContacts),
    }
  }
}
