import type { User } from '../../../db/repositories/users.js'
import { contactKind, contactsOf, type Contact } from '../../../db/sign-in-names.js'
import type { Needs } from '../../../lib/needs.js'
import { userTarget } from '../../../lib/user-target.js'
import { actorWithoutSession } from '../../../lib/actor.js'
import { isProblem, problem } from '../../../lib/problem.js'
import { defaultClient, defaultTenantId } from '../../../schemas/login.js'
import type { CodeSent } from '../../../schemas/one-time-code.js'
import type { ForgotPasswordRequest, PasswordReset, ResetPasswordRequest } from '../../../schemas/self-service.js'
import { userStatuses } from '../../../schemas/user.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { Channel } from '../../identity/codes/channels.js'

/** Name of a password reset in the login log. */
const authType = 'password_reset'

/**
 * Users who forgot their password set a new one with a code that is sent to their phone number or e-mail address. Answers
 * do not show which accounts exist: an unknown recipient is treated like a known one until a code has proved to be right.
 */
export const createPasswordReset = (
  needs: Needs<'accounts' | 'attempts' | 'audit' | 'db' | 'loginLog' | 'notices' | 'oneTimeCodes' | 'passwords'>,
) => {
  const { attempts, audit, db, loginLog, notices, oneTimeCodes: codes, passwords } = needs
  const { writes } = needs.accounts

  /** The account, unless it or its tenant is disabled. */
  const findUsable = async (channel: Channel, tenantId: number, recipient: string) => {
    const found = await channel.find(tenantId, recipient)
    // Looked up without an account too, so that the time is the same.
    const tenant = await db.tenants.find(tenantId)
    return found?.userStatus === userStatuses.normal && tenant?.enabled ? found : undefined
  }

  const readRecipient = async (text: string, tenantId: number) => {
    const channel = await codes.ofTenant.find(contactKind(text) === 'email' ? 'email' : 'sms', tenantId)
    const recipient = codes.readRecipient(channel, text, 'recipient')
    const subject: Contact = { kind: channel.field, text: recipient }
    return { channel, recipient, subject, purpose: 'password-reset', boundTo: '' } as const
  }

  /** Throws `account_disabled` and `tenant_disabled`, but only to somebody who has the code. */
  const findOwner = async (channel: Channel, tenantId: number, recipient: string) => {
    const user = await channel.find(tenantId, recipient)
    const owner = user && (await db.users.findWithTenant(user.id))
    if (!owner) throw problem('invalid_code')
    if (!owner.tenant.enabled) throw problem('tenant_disabled')
    if (owner.user.userStatus !== userStatuses.normal) throw problem('account_disabled')
    return owner
  }

  /** The sending limits of the contacts stay: otherwise each reset would allow another message at once. */
  const liftLockouts = async (user: User, { address, devices }: ClientContext): Promise<void> => {
    const { tenantId } = user
    await attempts.unlock(tenantId, { kind: 'username', text: user.username })
    for (const subject of contactsOf(user)) {
      const device = await devices.recognise(tenantId, subject)
      await attempts.liftLockout(tenantId, subject)
      await attempts.liftLockoutsAt({ tenantId, subject, address, device })
    }
  }

  const reset = async (
    request: ResetPasswordRequest,
    tenantId: number,
    client: ClientContext,
  ): Promise<PasswordReset> => {
    const { code, codeKey, newPassword, endTokens = true } = request
    const { channel, ...target } = await readRecipient(request.recipient, tenantId)
    const { subject } = target
    // What needs no account is checked first. The names of the account are not compared before the code is proved.
    passwords.check('newPassword', newPassword, [])
    const correct = await codes.tryCode(channel, { ...target, tenantId, code, codeKey }, client)
    const { user, tenant } = await findOwner(channel, tenantId, target.recipient)
    correct.checkOwner(user)
    passwords.check('newPassword', newPassword, passwords.namesOf(user, tenant.name))
    const passwordHash = await passwords.hash(newPassword, `user ${user.id}`)
    await correct.take()
    await db.transaction(
      async (inside) => {
        // The account may have changed while the password was hashed.
        const current = await inside.users.find(user.id)
        if (current?.passwordHash !== user.passwordHash || channel.contactOf(current) !== channel.contactOf(user))
          throw problem('invalid_code')
        const written = await writes.setPassword(inside, user.id, passwordHash, { endTokens })
        await writes.verifyContact(inside, user.id, subject)
        const target = userTarget(user)
        await audit.record(inside, actorWithoutSession(user, client), { action: 'user.password', target, ...written })
      },
      { user: user.id },
    )
    await codes.setup.noteProved(user.id, subject)
    await liftLockouts(user, client)
    notices.tellNewPassword(user, client)
    return { username: user.username }
  }

  return {
    /** Sends a code. Throws `unsupported_auth_type`, `invalid_request` and the errors of requests for a code. */
    async forgot(request: ForgotPasswordRequest, client: ClientContext): Promise<CodeSent> {
      const { tenantId = defaultTenantId } = request
      const { channel, ...wanted } = await readRecipient(request.recipient, tenantId)
      const findContact = async () => {
        const user = await findUsable(channel, tenantId, wanted.recipient)
        const to = user && channel.contactOf(user)
        return user && to != null ? { to, userId: user.id, username: user.username } : undefined
      }
      return codes.requestCode(channel, { ...wanted, tenantId, findContact }, request, client)
    },

    /**
     * Sets a password with a code, ends all sessions and lifts the lockout. Throws `invalid_code`, `invalid_request`,
     * `too_many_attempts`, `account_disabled`, `tenant_disabled`.
     */
    async reset(request: ResetPasswordRequest, client: ClientContext): Promise<PasswordReset> {
      const { tenantId = defaultTenantId } = request
      try {
        return await reset(request, tenantId, client)
      } catch (error) {
        const { address, userAgent } = client
        const subject = { kind: contactKind(request.recipient), text: request.recipient }
        const event = { tenantId, subject, authType, userClient: defaultClient, address, userAgent }
        if (isProblem(error) && error.code !== 'invalid_request') await loginLog.refused(event, error.code)
        throw error
      }
    },
  }
}
