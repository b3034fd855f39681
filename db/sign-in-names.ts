import { emailKey } from './email-key.js'
import { fold } from './fold.js'
import type { User } from './repositories/users.js'

/**
 * A text that names an account. The kind is a part of it: somebody whose user name is the e-mail address of another person
 * must not share counters, known devices or known addresses with that person.
 */
export interface SignInName {
  kind: 'username' | 'phone' | 'email'
  /** A phone number in E.164 form where it is one. */
  text: string
}

/** A phone number or an e-mail address. */
export type Contact = SignInName & { kind: 'phone' | 'email' }

/** The kind of a contact that somebody sends. */
export const contactKind = (text: string): Contact['kind'] => (text.includes('@') ? 'email' : 'phone')

export const isContact = (name: SignInName): name is Contact => name.kind !== 'username'

/** The contacts of a user. */
export const contactsOf = ({ phoneKey, email }: Pick<User, 'phoneKey' | 'email'>): Contact[] => [
  ...(phoneKey === null ? [] : [{ kind: 'phone', text: phoneKey } as const]),
  ...(email === null ? [] : [{ kind: 'email', text: email } as const]),
]

/** Whether the contact with this `nameKey` is one of the user. */
export const hasContact = (user: Pick<User, 'phoneKey' | 'email'>, key: string): boolean =>
  contactsOf(user).some((contact) => nameKey(contact) === key)

/** The names under which a user can sign in, and under which its failures are counted. */
export const signInNames = (user: Pick<User, 'username' | 'phoneKey' | 'email'>): SignInName[] => [
  { kind: 'username', text: user.username },
  ...contactsOf(user),
]

/** The form in which names are compared and stored in keys. Names of two kinds are never equal. */
export const nameKey = ({ kind, text }: SignInName): string =>
  `${kind} ${kind === 'email' ? emailKey(text) : fold(text)}`
