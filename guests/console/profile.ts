import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { CompatProfile } from './schemas/self.js'
import type { ProfileChangeRequest } from '../../schemas/self-service.js'
import { withoutMasks } from '../../lib/mask.js'
import { invalidField } from '../../lib/problem.js'
import type { ClientContext } from '../../plugins/identity/devices/client.js'
import type { createProfile } from '../../plugins/people/own/profile.js'
import { isUnchanged } from './unchanged.js'
import { rules } from './rules.js'

/** The form of the profile, which sends all its fields back. */
export const createProfileForm = (selfService: Pick<ReturnType<typeof createProfile>, 'changeProfile'>) => ({
  /** Changes what differs from what is stored. A new contact needs a code, which this form cannot send. */
  async save(caller: SessionOwner, sent: CompatProfile, client: ClientContext): Promise<void> {
    const { user } = caller
    const { username, realName, avatar } = sent
    if (username !== undefined && username !== user.username) throw invalidField('username', 'not_changeable')
    const changes: ProfileChangeRequest = {}
    if (realName !== undefined && realName !== user.realName) changes.realName = realName
    if (avatar !== undefined && avatar !== user.avatar) changes.avatar = avatar
    const contacts = withoutMasks(sent, user)
    for (const field of ['phone', 'email'] as const) {
      const value = contacts[field]
      if (value === undefined || value === user[field]) continue
      if (value === null) changes[field] = null
      else if (!isUnchanged(value, user[field])) throw invalidField(field, rules.needsCode)
    }
    if (Object.keys(changes).length > 0) await selfService.changeProfile(caller, changes, client)
  },
})
