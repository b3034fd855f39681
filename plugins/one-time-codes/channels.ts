import type { UserRepository, User } from '../../db/repositories/users.js'
import type { Language } from '../../schemas/problems.js'
import type { MailSender } from '../mail/mail.js'
import type { SmsSender } from '../sms/senders.js'
import { texts } from './texts.js'

export interface Message {
  code: string
  language: Language
  service: string
  minutes: number
}

/** A way to send codes: reads and finds recipients, and sends messages to them. */
export interface Channel {
  name: 'sms' | 'email'
  /** The `authType` of sign-ins with its codes. */
  authType: 'phone_captcha' | 'email_captcha'
  /** Field of the request that holds the recipient. */
  field: 'phone' | 'email'
  /** The canonical form of a recipient, for counters and bindings; undefined for an invalid recipient. */
  normalise: (text: string) => string | undefined
  find: (tenantId: number, recipient: string) => Promise<User | undefined>
  /** Sends to the contact stored in the account, not to the submitted text: a look-alike address must not get the code. */
  deliver: (user: User, recipient: string, message: Message) => Promise<void>
}

interface Parts {
  users: UserRepository
  readPhone: (text: string) => { key: string; display: string } | undefined
  readEmail: (text: string) => string | undefined
  fold: (text: string) => string
  mail: MailSender | undefined
  sendSms: SmsSender | undefined
}

/** The configured channels. */
export const createChannels = ({ users, readPhone, readEmail, fold, mail, sendSms }: Parts): Channel[] => {
  const channels: Channel[] = []
  if (sendSms) {
    channels.push({
      name: 'sms',
      authType: 'phone_captcha',
      field: 'phone',
      normalise: (text) => readPhone(text)?.key,
      find: (tenantId, key) => users.findByPhone(tenantId, { key, display: key }),
      deliver: (_user, phone, message) =>
        sendSms({ phone, code: message.code, text: texts[message.language].body(message), language: message.language }),
    })
  }
  if (mail) {
    channels.push({
      name: 'email',
      authType: 'email_captcha',
      field: 'email',
      normalise: (text) => {
        const email = readEmail(text)
        return email === undefined ? undefined : fold(email)
      },
      find: (tenantId, email) => users.findByEmail(tenantId, email),
      deliver: async (user, _recipient, message) => {
        const { subject, body } = texts[message.language]
        await mail.send({ to: user.email ?? '', subject: subject(message), text: body(message) })
      },
    })
  }
  return channels
}
