import { fold } from '../../../db/fold.js'
import type { User, UserChange } from '../../../db/repositories/users.js'
import { problem } from '../../../lib/problem.js'
import type { Fault } from '../../../lib/violations.js'
import type { Contacts } from '../../identity/contacts/contacts.js'
import { createCollector } from './account.js'
import { checkName } from './names.js'
import { checkPicture } from './pictures.js'
import { checkNewUserName, contactsAfter } from './user-names.js'

/** Changed fields as they were sent. Absent fields stay as they are, null clears a field. */
export interface ChangeToRead extends Omit<UserChange, 'phone'> {
  phone?: string | null | undefined
}

/** Returns a function that checks changed fields of `user` and throws `invalid_request` with all faults. */
export const createReadChange =
  (contacts: Contacts) =>
  async (user: User, change: ChangeToRead): Promise<UserChange> => {
    const faults: Fault[] = []
    const collect = createCollector(faults)
    const { username, realName, phone, email, avatar } = change
    await collect(() => {
      if (username !== undefined) checkName('username', username)
    })
    await collect(() => {
      if (realName !== undefined) checkName('realName', realName)
    })
    await collect(() => checkPicture(avatar))
    const newPhone = await collect(() => {
      if (phone === null) return null
      // Forms send back what is stored, which may be from before a rule.
      const same = phone === undefined ? undefined : contacts.readPhone(phone)
      return same?.key !== undefined && same.key === user.phoneKey ? same : contacts.checkNewPhone(phone)
    })
    const newEmail = await collect(() => (email === null ? null : contacts.checkNewEmail(email)))
    await collect(() => {
      // Another spelling of the same name is not a new one: names from before this rule stay.
      if (username === undefined || fold(username) === fold(user.username)) return
      checkNewUserName(username, contactsAfter(user, { phone: newPhone, email: newEmail }), contacts)
    })
    if (faults.length > 0) throw problem('invalid_request', { faults })
    return { ...change, phone: newPhone, email: newEmail }
  }
