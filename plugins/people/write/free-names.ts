import type { Phone, UserRepository } from '../../../db/repositories/users.js'
import { problem } from '../../../lib/problem.js'

/** The values that no two users of a tenant share. */
export interface UniqueNames {
  tenantId: number
  username?: string | undefined
  phone?: Phone | null | undefined
  email?: string | null | undefined
}

/** Throws `invalid_request` for each name and contact that another user of the tenant than `self` has. */
export const checkFree = async (
  users: Pick<UserRepository, 'findByUsername' | 'findByPhone' | 'findByEmail'>,
  { tenantId, username, phone, email }: UniqueNames,
  self?: number,
): Promise<void> => {
  const holders = {
    username: username === undefined ? undefined : await users.findByUsername(tenantId, username),
    phone: phone ? await users.findByPhone(tenantId, phone) : undefined,
    email: email == null ? undefined : await users.findByEmail(tenantId, email),
  }
  const taken = Object.entries(holders).filter(([, holder]) => holder && holder.id !== self)
  if (taken.length > 0) throw problem('invalid_request', { faults: taken.map(([field]) => ({ field, rule: 'taken' })) })
}
