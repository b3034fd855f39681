import { randomBytes } from 'node:crypto'
import type { Repositories } from '../../../db/index.js'
import type { User } from '../../../db/repositories/users.js'
import { userTypes } from '../../../schemas/user.js'
import type { Contacts } from '../../identity/contacts/contacts.js'
import { isName } from './names.js'
import { isUserName } from './user-names.js'
import type { UserWrites } from './user-writes.js'

/** What a platform says of a person. */
export interface PlatformPerson {
  platform: string
  displayName: string | null
}

/** Adds an account for somebody who signs in at a platform and has none yet: an ordinary user without a password. */
export const createAddFromPlatform = (writes: Pick<UserWrites, 'add'>, contacts: Contacts) => {
  /** Begins with the platform, so that a display name cannot imitate another user. */
  const pickUsername = async ({ users }: Repositories, tenantId: number, { platform, displayName }: PlatformPerson) => {
    const wanted = `${platform}-${displayName ?? ''}`.replace(/\p{White_Space}+/gu, '-')
    const isFree =
      displayName !== null && isUserName(wanted, contacts) && !(await users.findByUsername(tenantId, wanted))
    return isFree ? wanted : `${platform}-${randomBytes(6).toString('hex')}`
  }

  return async (inside: Repositories, tenantId: number, person: PlatformPerson): Promise<User> => {
    const username = await pickUsername(inside, tenantId, person)
    const { displayName } = person
    return writes.add(inside, {
      tenantId,
      username,
      realName: displayName !== null && isName(displayName) ? displayName : username,
      userType: userTypes.user,
      passwordHash: null,
      forcePasswordChange: false,
    })
  }
}
