import type { Needs } from '../../../lib/needs.js'
import { cleanCopied } from '../../../lib/copied-text.js'
import { asciiDomain, domainOf } from '../../../db/email-key.js'
import { contactKind, contactsOf } from '../../../db/sign-in-names.js'
import { userTarget } from '../../../lib/user-target.js'
import { addressKey } from '../../../lib/address-key.js'
import { actorWithoutSession } from '../../../lib/actor.js'
import { invalidField, problem, renamingFields } from '../../../lib/problem.js'
import { isRegistrationOpen } from '../../../lib/registration.js'
import { defaultTenantId } from '../../../schemas/login.js'
import type { CodeSent } from '../../../schemas/one-time-code.js'
import type { RegistrationCodeRequest, RegistrationRequest, Registered } from '../../../schemas/self-service.js'
import { userTypes } from '../../../schemas/user.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { NewContacts } from './new-contacts.js'

/** Lets faults of a contact name the field of the request. */
const namingRecipient = <T>(work: Promise<T>): Promise<T> =>
  renamingFields(work, (field) => (['phone', 'email'].includes(field) ? 'recipient' : field))

/** Strangers add their own account, if the configuration allows it. They prove a phone number or an e-mail address first. */
export const createRegistration = (
  needs: Needs<'accounts' | 'audit' | 'db' | 'installation' | 'oneTimeCodes' | 'passwords'>,
  newContacts: NewContacts,
) => {
  const { accounts, audit, db, passwords } = needs
  const settings = needs.installation.settings.registration
  const domains = settings.emailDomains.map(asciiDomain)

  const claimOf = (tenantId: number) => ({ purpose: 'registration', tenantId, boundTo: '' }) as const

  /** Throws `registration_closed`, `tenant_disabled` and `invalid_request`. */
  const checkOpen = async (tenantId: number): Promise<void> => {
    if (!isRegistrationOpen(settings, tenantId)) throw problem('registration_closed')
    const tenant = await db.tenants.find(tenantId)
    if (!tenant) throw invalidField('tenantId', 'unknown_tenant')
    if (!tenant.enabled) throw problem('tenant_disabled')
  }

  /** With a list of domains only their e-mail addresses may register. Subdomains are other domains. */
  const checkDomain = (field: string, contact: string): void => {
    if (domains.length > 0 && !domains.includes(domainOf(contact))) throw invalidField(field, 'email_domain')
  }

  return {
    /** Sends a code to a contact, also to one that has an account. Throws the errors of `checkOpen` and of requests. */
    async requestRegistrationCode(request: RegistrationCodeRequest, client: ClientContext): Promise<CodeSent> {
      const { recipient, tenantId = defaultTenantId } = request
      await checkOpen(tenantId)
      checkDomain('recipient', cleanCopied(recipient))
      return newContacts.request(recipient, claimOf(tenantId), request, client)
    },

    /**
     * Adds an ordinary user without roles. Throws `registration_closed`, `invalid_request`, `invalid_code` and
     * `too_many_attempts`. That a name or contact is taken shows only after the code was right.
     */
    async register(request: RegistrationRequest, client: ClientContext): Promise<Registered> {
      const { username, password, realName, recipient, code, codeKey, tenantId = defaultTenantId } = request
      await checkOpen(tenantId)
      const field = contactKind(recipient)
      const account = { username, password, realName, [field]: recipient, tenantId }
      const { user } = await namingRecipient(
        accounts.accounts.check({ ...account, userType: userTypes.user, forcePasswordChange: false }),
      )
      checkDomain('recipient', cleanCopied(recipient))
      const contact = { field, text: recipient, shownField: 'recipient', code, codeKey, codeField: 'code' }
      const correct = await newContacts.prove(contact, claimOf(tenantId), client)
      await namingRecipient(accounts.checkFree(db.users, user))
      const passwordHash = await passwords.hash(password, `registration ${addressKey(client.address)}`)
      await correct.take()
      const registered = await db.transaction(async (inside) => {
        const added = await accounts.accounts.write(inside, { user: { ...user, passwordHash }, roleIds: [] })
        for (const proved of contactsOf(added)) await accounts.writes.verifyContact(inside, added.id, proved)
        const target = userTarget(added)
        const after = { username: added.username, realName: added.realName, phone: added.phone, email: added.email }
        await audit.record(inside, actorWithoutSession(added, client), { action: 'user.register', target, after })
        return { added, answer: { userId: added.id, tenantId, username: added.username } }
      })
      for (const proved of contactsOf(registered.added))
        await needs.oneTimeCodes.setup.noteProved(registered.added.id, proved)
      return registered.answer
    },
  }
}
