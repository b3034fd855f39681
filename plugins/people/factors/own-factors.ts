import type { Needs } from '../../../lib/needs.js'
import { accountOf } from '../../../lib/account-of.js'
import type { Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { TrustedDevice } from '../../../db/repositories/trusted-devices.js'
import type { User } from '../../../db/repositories/users.js'
import { userTarget } from '../../../lib/user-target.js'
import { actorOfCaller, type ActorSource } from '../../../lib/actor.js'
import { problem } from '../../../lib/problem.js'
import { toTime } from '../../../lib/time-text.js'
import type { Factor, OwnFactors, TrustedDeviceRecord } from '../../../schemas/factors.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { AdmittedAccount } from '../../sessions/sessions/start.js'
import { listFactors, type FactorSource } from './factor-records.js'

const refuseUnless = (isAllowed: boolean, reason: Parameters<typeof problem>[0]): void => {
  if (!isAllowed) throw problem(reason)
}

const toDeviceRecord = (device: TrustedDevice, current: string | undefined): TrustedDeviceRecord => {
  const { id, userAgent, address, createTime, lastUsedTime, expiry } = device
  return {
    ...{ id, userAgent, address, createTime: toTime(createTime), expiry: toTime(expiry) },
    ...{ lastUsedTime: lastUsedTime === null ? null : toTime(lastUsedTime), current: device.deviceId === current },
  }
}

/** Users list, name and remove their own second factors. Changes need a factor that was proved in the session within ten minutes. */
export const createOwnFactors = (
  needs: Needs<'accounts' | 'audit' | 'clock' | 'db' | 'login' | 'notices' | 'secondFactor'>,
  readName: (field: string, text: string) => string,
) => {
  const { audit, clock, db, notices } = needs
  const { writes, provePasswordOrFactor } = needs.accounts
  const { policy, replaceRecoveryCodes, passkeys } = needs.secondFactor
  const { signInCheckFor } = needs.login.ofTenant

  const find = async (source: FactorSource, user: Pick<User, 'id'>, id: string): Promise<Factor> => {
    const found = (await listFactors(source, user)).find((factor) => factor.id === id)
    if (!found) throw problem('not_found')
    return found
  }

  /** Throws `last_sign_in_method` when the user could sign in with a passkey, and could not without it. */
  const checkCanSignIn = async (inside: Repositories, { id, tenantId }: User, passkeyId: string): Promise<void> => {
    const canSignIn = await signInCheckFor(tenantId, inside)
    const user = await inside.users.find(id)
    if (!user) throw problem('not_found')
    const [identities, passkeys] = [await inside.identities.ofUser(id), await inside.passkeys.ofUser(id)]
    const others = passkeys.filter((passkey) => passkey.id !== passkeyId)
    if (canSignIn(user, identities, passkeys) && !canSignIn(user, identities, others))
      throw problem('last_sign_in_method')
  }

  return {
    list({ user, tenant, grants }: SessionOwner, client: ClientContext): Promise<OwnFactors> {
      const deviceId = client.devices.idFor(accountOf(user))
      return this.describe({ user, tenant, grants }, deviceId)
    },

    /** The factors of an account, as its owner sees them on the device `deviceId`. */
    async describe({ user, tenant, grants }: AdmittedAccount, deviceId?: string): Promise<OwnFactors> {
      const requirement = await policy.requirementOf({ user, tenant, grants }, db)
      const isDue = requirement.required && !user.hasSecondFactor
      const devices = await db.trustedDevices.ofUser(user.id, clock.now())
      const state = await db.factorStates.find(user.id)
      return {
        policy: requirement.required ? 'required' : policy.policy === 'off' ? 'off' : 'optional',
        deadline: isDue && requirement.deadline !== undefined ? toTime(requirement.deadline) : null,
        factors: await listFactors(db, user),
        recoveryCodesLeft: await db.recoveryCodes.left(user.id),
        trustedDevices: devices.map((device) => toDeviceRecord(device, deviceId)),
        userHandle: state.userHandle ?? null,
        rpId: passkeys.rpId ?? null,
      }
    },

    /** Throws `not_found`, `step_up_required` and `invalid_request`. */
    async rename(caller: SessionOwner, id: string, name: string, source: ActorSource): Promise<Factor> {
      const { user } = caller
      await find(db, user, id)
      await provePasswordOrFactor(caller, undefined, source.address)
      const newName = readName('name', name)
      return db.transaction(
        async (inside) => {
          const factor = await find(inside, user, id)
          await (factor.kind === 'totp' ? inside.totpSecrets : inside.passkeys).rename(id, newName)
          const target = userTarget(user)
          const values = { before: { name: factor.name }, after: { name: newName } }
          await audit.record(inside, actorOfCaller(caller, source), { action: 'user.factor', target, ...values })
          return { ...factor, name: newName }
        },
        { user: user.id },
      )
    },

    /**
     * Removes a factor; with the last one the recovery codes go. Throws `not_found`, `step_up_required`, and
     * `factor_required_by_policy` for the last one while it is required, and `last_sign_in_method`.
     */
    async remove(caller: SessionOwner, id: string, source: ActorSource): Promise<void> {
      const { user, tenant, grants, session } = caller
      const factor = await find(db, user, id)
      await provePasswordOrFactor(caller, undefined, source.address)
      await db.transaction(
        async (inside) => {
          const all = await listFactors(inside, user)
          refuseUnless(
            all.some((one) => one.id === id),
            'not_found',
          )
          const requirement = await policy.requirementOf({ user, tenant, grants }, inside)
          refuseUnless(all.length > 1 || !requirement.required, 'factor_required_by_policy')
          if (factor.kind === 'passkey') await checkCanSignIn(inside, user, id)
          await (factor.kind === 'totp' ? inside.totpSecrets : inside.passkeys).remove(id)
          await writes.noteFactors(inside, user.id, session.id)
          const before = { kind: factor.kind, name: factor.name }
          await audit.record(inside, actorOfCaller(caller, source), {
            ...{ action: 'user.factor', target: userTarget(user), before },
          })
        },
        { user: user.id },
      )
      notices.tell(user, 'factor_removed', source, { factor: factor.name })
    },

    /** Ten new recovery codes; the former ones are void. Throws `step_up_required`, and `not_found` for an account without a factor. */
    async newRecoveryCodes(caller: SessionOwner, source: ActorSource): Promise<string[]> {
      const { user } = caller
      refuseUnless(user.hasSecondFactor, 'not_found')
      await provePasswordOrFactor(caller, undefined, source.address)
      const codes = await db.transaction(
        async (inside) => {
          const made = await replaceRecoveryCodes(inside, user.id)
          const action = 'user.recovery' as const
          await audit.record(inside, actorOfCaller(caller, source), { action, target: userTarget(user) })
          return made
        },
        { user: user.id },
      )
      notices.tell(user, 'recovery_codes_made', source)
      return codes
    },

    /** Ends the trust in one browser, or in all. Throws `not_found`. */
    async forgetDevices({ user }: SessionOwner, id?: string): Promise<void> {
      if (id === undefined) await db.trustedDevices.removeOfUser(user.id)
      else refuseUnless(await db.trustedDevices.remove(user.id, id, clock.now()), 'not_found')
    },
  }
}
