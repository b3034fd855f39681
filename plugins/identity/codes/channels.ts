import { emailKey } from '../../../db/email-key.js'
import type { Phone, UserRepository, User } from '../../../db/repositories/users.js'
import { invalidField, type Problem } from '../../../lib/problem.js'
import type { MailSender } from '../../record/mail/mail.js'
import type { SmsSender } from '../../record/sms/message.js'
import type { CodeMessage } from '../../record/notices/code-parts.js'
import type { Composer } from '../../record/notices/compose.js'

/** A new contact of a user. */
export type NewContact = { phone: Phone } | { email: string }

/** A way to send codes: reads and finds recipients, and sends messages to them. */
export interface Channel {
  name: 'sms' | 'email'
  /** The `authType` of sign-ins with its codes. */
  authType: 'phone_captcha' | 'email_captcha'
  /** Field of the request that holds the recipient. */
  field: 'phone' | 'email'
  /** The `invalid_request` of a recipient that cannot be read, for the field that holds it. */
  fault: (field: string) => Problem
  /** The canonical form of a recipient, for counters and bindings; undefined for an invalid recipient. */
  normalise: (text: string) => string | undefined
  find: (tenantId: number, recipient: string) => Promise<User | undefined>
  /** The contact stored in the account, to which codes are sent: a submitted look-alike must not get them. */
  contactOf: (user: User) => string | null
  /** Reads a contact that is to be stored; `to` is its exact form, to which a code is sent. */
  readNew: (text: string) => { to: string; contact: NewContact } | undefined
  deliver: (to: string, message: CodeMessage) => Promise<void>
}

interface Parts {
  users: UserRepository
  readPhone: (text: string) => Phone | undefined
  readEmail: (text: string) => string | undefined
  readNewPhone: (text: string) => Phone | undefined
  phoneFault: (field: string) => Problem
  readNewEmail: (text: string) => string | undefined
  mail: MailSender | undefined
  sendSms: SmsSender | undefined
  composer: Pick<Composer, 'code' | 'shortCode'>
}

/** The configured channels. */
export const createChannels = (parts: Parts): Channel[] => {
  const { users, readPhone, readEmail, readNewPhone, readNewEmail, phoneFault, mail, sendSms, composer } = parts
  const channels: Channel[] = []
  if (sendSms) {
    channels.push({
      name: 'sms',
      authType: 'phone_captcha',
      field: 'phone',
      fault: phoneFault,
      normalise: (text) => readPhone(text)?.key,
      find: (tenantId, key) => users.findByPhone(tenantId, { key, display: key }),
      contactOf: ({ phoneKey }) => phoneKey,
      readNew(text) {
        const phone = readNewPhone(text)
        return phone && { to: phone.key, contact: { phone } }
      },
      deliver: (phone, message) => {
        const { code, language } = message
        return sendSms({ phone, code, text: composer.shortCode(message), language })
      },
    })
  }
  if (mail) {
    channels.push({
      name: 'email',
      authType: 'email_captcha',
      field: 'email',
      fault: (field) => invalidField(field, 'email'),
      normalise: (text) => {
        const email = readEmail(text)
        return email === undefined ? undefined : emailKey(email)
      },
      find: (tenantId, email) => users.findByEmail(tenantId, email),
      contactOf: ({ email }) => email,
      readNew(text) {
        const email = readNewEmail(text)
        return email === undefined ? undefined : { to: email, contact: { email } }
      },
      deliver: (to, message) => mail.send({ to, ...composer.code(message) }),
    })
  }
  return channels
}
