import type { Repositories } from '../../../db/index.js'
import { shownOf } from '../../../db/repositories/user-rows.js'
import { signInNames } from '../../../db/sign-in-names.js'
import type { User } from '../../../db/repositories/users.js'
import type { NewUserRequest, UserChangeRequest, UserDetail } from '../../../schemas/managed-user.js'
import { userTypes } from '../../../schemas/user.js'
import type { Needs } from '../../../lib/needs.js'
import { userTarget } from '../../../lib/user-target.js'
import { withoutMasks } from '../../../lib/mask.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import { toTime } from '../../../lib/time-text.js'
import type { CheckedAccount } from '../write/account.js'
import { readManaged, readToChange, type Change, type ManagedUser } from './change.js'
import type { LiftedRequirement, LiftedRequirements } from './lifted-requirements.js'
import { checkVersion } from './if-match.js'
import {
  checkIsSystemAdmin,
  checkGives,
  checkGivesType,
  checkKeepsPassword,
  inviterOf,
  isVisible,
  type Manager,
} from './policy.js'
import type { TakenContacts } from './taken-contacts.js'
import { losesRequirement, readRoles } from './user-roles.js'
import { changesNothing, valuesOf } from './user-values.js'
import { whyNotInvitable } from './why-not-invitable.js'

/** Who may change phone and e-mail: a code sent there signs in. */
const checkChangesContacts = ({ caller }: Manager, { phone, email }: UserChangeRequest): void => {
  if (phone === undefined && email === undefined) return
  if (!seesContacts(caller)) throw problem('permission_denied')
}

const isService = ({ userType }: { userType?: number | undefined }): boolean => userType === userTypes.service

const checkUnchangeable = ({ user }: ManagedUser, sent: UserChangeRequest): void => {
  const { password, tenantId, userType = user.userType } = sent
  if (password !== undefined && !isService(user))
    throw invalidField('password', 'separate_request', { request: 'POST /system/user/{id}/password' })
  if (tenantId !== undefined && tenantId !== user.tenantId) throw invalidField('tenantId', 'not_changeable')
  if (isService({ userType }) !== isService(user)) throw invalidField('userType', 'not_changeable')
  if (!isService(user)) return
  for (const field of ['password', 'phone', 'email'] as const)
    if (sent[field] != null) throw invalidField(field, 'service_account')
}

/** Adds, shows, changes and deletes users for administrators. All changes are recorded in the audit trail. */
export const createManagedUsers = (
  needs: Needs<'accounts' | 'attempts' | 'audit' | 'clock' | 'db' | 'login' | 'oneTimeCodes' | 'userList'>,
  change: Change,
  liftedRequirements: LiftedRequirements,
  takenContacts: TakenContacts,
) => {
  const { accounts, attempts, audit, clock, db, oneTimeCodes: invitations, userList } = needs
  const { signInCheckFor } = needs.login.ofTenant
  /** Reads by what a user may sign in, and whether somebody waits; a change of other fields than names changes none of it. */
  const readWays = (inside: Pick<Repositories, 'identities' | 'passkeys' | 'disabledMethods'>, user: User) =>
    Promise.all([
      signInCheckFor(user.tenantId, inside),
      inside.identities.ofUser(user.id),
      inside.passkeys.ofUser(user.id),
      attempts.pausedUntil(user.tenantId, signInNames(user), user.id),
    ])
  const show = async (
    { caller }: Manager,
    { user, tenant, grants, factorExempt }: ManagedUser,
    ways?: Awaited<ReturnType<typeof readWays>>,
  ): Promise<UserDetail> => {
    const shown = userList.describe(caller, { ...shownOf(user), tenantName: tenant.name, roleKeys: grants.roleKeys })
    const [[canSignIn, identities, passkeys, pausedUntil], whyNot] = await Promise.all([
      ways ?? readWays(db, user),
      whyNotInvitable(user, invitations.isReached),
    ])
    return {
      ...shown,
      // Whoever sees the number masked does not see it here.
      internationalPhone: shown.phone === user.phone ? user.phoneKey : null,
      factorExempt,
      hasWayIn: canSignIn(user, identities, passkeys),
      notInvitable: whyNot ?? null,
      pausedUntil: pausedUntil === undefined ? null : toTime(pausedUntil),
    }
  }
  const reread = async (inside: Repositories, id: number): Promise<ManagedUser> => {
    const managed = await readManaged(inside, id)
    if (!managed) throw new Error('A user that was just written cannot be read')
    return managed
  }

  const checkInvitable = async ({ user: { tenantId, email, phone } }: CheckedAccount): Promise<void> => {
    await invitations.checkInvitable({ tenantId, email: email ?? null, phoneKey: phone?.key ?? null })
  }

  return {
    /** Throws `not_found`. */
    async get(actor: Manager, id: number): Promise<UserDetail> {
      const managed = await readManaged(db, id)
      if (!managed || !isVisible(actor, managed.user.tenantId)) throw problem('not_found')
      return show(actor, managed)
    },

    /**
     * Adds a user. Without a password the user is sent an invitation. Throws `invalid_request`, which names taken names and
     * contacts, and `rolesField` for roles; `too_many_requests`.
     */
    async add(
      actor: Manager,
      { roleKeys, ...sent }: NewUserRequest,
      { rolesField = 'roleKeys' } = {},
    ): Promise<UserDetail> {
      const { forcePasswordChange = !isService(sent), ...wanted } = sent
      const { caller } = actor
      checkGivesType(actor, wanted.userType ?? userTypes.user)
      checkKeepsPassword(actor, forcePasswordChange)
      const tenantId = wanted.tenantId ?? caller?.tenant.id
      if (tenantId !== undefined && !isVisible(actor, tenantId)) throw invalidField('tenantId', 'unknown_tenant')
      const isInvited = wanted.password === undefined && !isService(wanted)
      const account = { ...wanted, tenantId, roles: roleKeys, forcePasswordChange: forcePasswordChange && !isInvited }
      const checked = await accounts.accounts.check(account, [], rolesField)
      if (isInvited) await checkInvitable(checked)
      checkGives(actor, rolesField, await db.roles.permissionsOf(checked.roleIds))
      const { user, ...secrets } = await accounts.accounts.hashPassword(checked)
      const hashed = { ...secrets, user: { ...user, invitedTime: isInvited ? clock.now() : undefined } }
      const write = () =>
        change(async (inside) => {
          const added = await reread(inside, (await accounts.accounts.write(inside, hashed)).id)
          await audit.record(inside, actor, {
            action: 'user.add',
            target: userTarget(added.user),
            after: valuesOf(added),
          })
          return added
        })
      const { username, phone, email } = checked.user
      const comparesContacts = phone != null || email != null
      const asked = { name: username, tenantId: checked.user.tenantId }
      const managed = await (comparesContacts ? takenContacts.tell(actor, asked, write) : write())
      if (isInvited) await invitations.invite(managed.user, inviterOf(actor))
      return show(actor, managed)
    },

    /**
     * Changes the given fields; what changes nothing is not recorded, and the mask of a stored contact leaves it as it is. `ifMatch` is
     * the value of the header `If-Match`. Throws `not_found`, `own_account`,
     * `permission_denied`, `changed_meanwhile`, `last_administrator`, `invalid_request`, and `step_up_required` when a second factor is no
     * longer required of the user.
     */
    async edit(actor: Manager, id: number, sent: UserChangeRequest, ifMatch?: string): Promise<UserDetail> {
      let lifted: LiftedRequirement | undefined
      const { managed, ways } = await change(async (inside) => {
        // First, so that a caller learns nothing about a user that it may not change.
        const before = await readToChange(inside, actor, id)
        const wanted = withoutMasks(sent, before.user)
        const { roleKeys, factorExempt = before.factorExempt, ...fields } = wanted
        const isOther = factorExempt !== before.factorExempt
        checkUnchangeable(before, wanted)
        checkChangesContacts(actor, wanted)
        if (!isService(before.user)) checkGivesType(actor, fields.userType)
        if (isOther) checkIsSystemAdmin(actor)
        const changes = await accounts.readChange(before.user, fields)
        checkVersion(before.user, ifMatch)
        const isEdit = !changesNothing(before, changes, roleKeys)
        if (!isEdit && !isOther) return { managed: before }
        // Together, because each question to a shared database crosses the network.
        const [user, ways] = await Promise.all([
          accounts.writes.change(inside, before.user, changes),
          readWays(inside, before.user),
        ])
        if (!user) throw problem('not_found')
        if (roleKeys !== undefined) await inside.roles.replace(id, await readRoles(inside, actor, before, roleKeys))
        if (isOther) await inside.factorStates.setExempt(id, factorExempt)
        const grants = roleKeys === undefined ? before.grants : await inside.roles.grantsOf(id)
        const after = { user, tenant: before.tenant, grants, factorExempt }
        if ((isOther && factorExempt) || losesRequirement(before, after)) {
          await liftedRequirements.check(actor)
          lifted = { kind: 'user', name: user.username, tenantId: user.tenantId }
        }
        const target = userTarget(after.user)
        if (isEdit) {
          const values = { before: valuesOf(before), after: valuesOf(after) }
          await audit.record(inside, actor, { action: 'user.edit', target, ...values })
        }
        if (isOther) {
          const values = { before: { factorExempt: before.factorExempt }, after: { factorExempt } }
          await audit.record(inside, actor, { action: 'user.exempt', target, ...values })
        }
        return { managed: after, ways }
      })
      await liftedRequirements.tell(actor, lifted)
      return show(actor, managed, ways)
    },
  }
}
