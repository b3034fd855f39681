import type { Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { User, UserChange } from '../../../db/repositories/users.js'
import { contactsOf as signInContacts } from '../../../db/sign-in-names.js'
import type { Needs } from '../../../lib/needs.js'
import { userTarget } from '../../../lib/user-target.js'
import { actorOfCaller } from '../../../lib/actor.js'
import { withoutMasks } from '../../../lib/mask.js'
import { invalidField, problem } from '../../../lib/problem.js'
import type { CodeSent } from '../../../schemas/one-time-code.js'
import type { ContactCodeRequest, ProfileChangeRequest } from '../../../schemas/self-service.js'
import type { Prepared } from '../../../schemas/prepared.js'
import type { UserInfo } from '../../../schemas/user.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { CorrectCode } from '../../identity/codes/codes.js'
import type { NewContacts } from './new-contacts.js'

const claimOf = ({ user }: SessionOwner) =>
  ({ purpose: 'new-contact', tenantId: user.tenantId, boundTo: `user ${user.id}` }) as const

const personOf = ({ realName, gender, avatar }: User) => ({ realName, gender, avatar })
const contactsOf = ({ phone, email }: User) => ({ phone, email })

/** Users change their own profile. A new phone number or e-mail address needs a code that was sent to it. */
export const createProfile = (
  needs: Needs<'accounts' | 'audit' | 'db' | 'login' | 'notices' | 'sessions'>,
  newContacts: NewContacts,
) => {
  const { accounts, audit, db, notices, sessions } = needs
  const { signInCheckFor } = needs.login.ofTenant

  /** The fields that differ: front ends send the whole profile back, and an unchanged contact needs no code. */
  const readChange = async (user: User, request: ProfileChangeRequest): Promise<UserChange> => {
    const { realName, gender, avatar, phone, email } = withoutMasks(request, user)
    if (realName === null) throw invalidField('realName', 'required')
    const change = await accounts.readChange(user, { realName, gender, avatar, phone, email })
    const isSamePhone = change.phone !== undefined && (change.phone?.key ?? null) === user.phoneKey
    const isSameEmail = change.email === user.email
    return {
      ...change,
      phone: isSamePhone ? undefined : change.phone,
      email: isSameEmail ? undefined : change.email,
    }
  }

  /** Checks the codes of all new contacts before one of them is used up. */
  const proveContacts = async (
    caller: SessionOwner,
    change: UserChange,
    request: ProfileChangeRequest,
    client: ClientContext,
  ): Promise<CorrectCode[]> => {
    const wanted = [
      { field: 'phone', text: change.phone?.key, code: request.phoneCode, codeKey: request.phoneCodeKey },
      { field: 'email', text: change.email, code: request.emailCode, codeKey: request.emailCodeKey },
    ] as const
    const given = wanted.filter(({ text }) => text != null)
    const missing = given.filter(({ code }) => code === undefined)
    if (missing.length > 0) {
      throw problem('invalid_request', {
        faults: missing.map(({ field }) => ({ field: `${field}Code`, rule: 'required' })),
      })
    }
    const correct: CorrectCode[] = []
    for (const { field, text, code = '', codeKey } of given) {
      const contact = { field, text: text ?? '', code, codeKey, codeField: `${field}Code` }
      correct.push(await newContacts.prove(contact, claimOf(caller), client))
    }
    return correct
  }

  const checkCanSignIn = async (
    { identities, passkeys }: Pick<Repositories, 'identities' | 'passkeys'>,
    user: User,
    change: UserChange,
    canSignIn: Awaited<ReturnType<typeof signInCheckFor>>,
  ): Promise<void> => {
    const cleared = (['phone', 'email'] as const).find((field) => change[field] === null)
    if (cleared === undefined) return
    const { phone, email } = change
    const after: User = {
      ...user,
      ...(phone === undefined ? {} : { phone: phone?.display ?? null, phoneKey: phone?.key ?? null }),
      ...(email === undefined ? {} : { email }),
    }
    if (!canSignIn(after, await identities.ofUser(user.id), await passkeys.ofUser(user.id)))
      throw invalidField(cleared, 'last_way_in')
  }

  /** Writes the change and its rows of the audit trail. Resolves to the account before it. */
  const write = async (
    inside: Repositories,
    caller: SessionOwner,
    change: UserChange,
    client: ClientContext,
    canSignIn: Awaited<ReturnType<typeof signInCheckFor>>,
  ): Promise<User> => {
    const before = await inside.users.find(caller.user.id)
    if (!before) throw problem('session_revoked')
    await checkCanSignIn(inside, before, change, canSignIn)
    const after = (await accounts.writes.change(inside, before, change)) ?? before
    for (const contact of signInContacts({ phoneKey: change.phone?.key ?? null, email: change.email ?? null }))
      await accounts.writes.verifyContact(inside, before.id, contact)
    const target = userTarget(before)
    const record = async (action: 'user.profile' | 'user.contact', values: typeof personOf | typeof contactsOf) => {
      const [old, next] = [values(before), values(after)]
      if (JSON.stringify(old) === JSON.stringify(next)) return
      await audit.record(inside, actorOfCaller(caller, client), { action, target, before: old, after: next })
    }
    await record('user.profile', personOf)
    await record('user.contact', contactsOf)
    return before
  }

  return {
    /** Sends a code to a contact that the caller wants to have. Throws the errors of `NewContacts.request`. */
    requestContactCode: (caller: SessionOwner, request: ContactCodeRequest, client: ClientContext): Promise<CodeSent> =>
      newContacts.request(request.recipient, claimOf(caller), request, client),

    /**
     * Changes everything or nothing, and tells the old contacts. A change of a contact needs the password or a fresh
     * sign-in too, because codes sent to a contact open the account. Throws `invalid_request`, `invalid_code`,
     * `fresh_sign_in_required`, `invalid_credentials`, `too_many_attempts`, `unsupported_auth_type`.
     */
    async changeProfile(
      caller: SessionOwner,
      request: ProfileChangeRequest,
      client: ClientContext,
    ): Promise<Prepared<UserInfo>> {
      const { user, session } = caller
      const change = await readChange(user, request)
      const changesContacts = change.phone !== undefined || change.email !== undefined
      if (changesContacts) await accounts.provePasswordOrFactor(caller, request.password, client.address)
      const codes = await proveContacts(caller, change, request, client)
      await accounts.checkFree(db.users, { tenantId: user.tenantId, ...change }, user.id)
      const canSignIn = await signInCheckFor(user.tenantId)
      await checkCanSignIn(db, user, change, canSignIn)
      for (const code of codes) await code.take()
      const locks = { administration: true, user: user.id } as const
      const before = await db.transaction((inside) => write(inside, caller, change, client, canSignIn), locks)
      if (change.phone !== undefined) notices.tell(before, 'phone_changed', client)
      if (change.email !== undefined) notices.tell(before, 'email_changed', client)
      return sessions.userInfo((await db.sessions.find(session.id)) ?? caller)
    },
  }
}
