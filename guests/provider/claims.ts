import type { Database } from '../../db/index.js'
import { contactsOf } from '../../db/sign-in-names.js'
import { isShared, userNameAt, type Person } from './person.js'
import type { Client } from './repositories/clients.js'

/** What each scope gives (OpenID Connect Core 1.0, 5.1 and 5.4). */
export const claimsOfScopes = {
  profile: ['name', 'preferred_username', 'picture', 'gender', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  groups: ['groups', 'roles'],
  tenant: ['tenant_id', 'tenant_name'],
} as const

export type Claim = (typeof claimsOfScopes)[keyof typeof claimsOfScopes][number]

/** Larger lists are in userinfo only: an ID token travels in headers and forms. Bytes of JSON. */
const maxList = 4096

/** By the number of the enumeration `Gender`. */
const genderNames: Partial<Record<number, string>> = { 1: 'male', 2: 'female' }

interface Collaborators {
  contacts: Pick<Database['verifiedContacts'], 'isVerified'>
}

/**
 * Creates the function that finds what an application gets to know of somebody, as of now. `place` is where the claims go: a long list of roles
 * is left out of the ID token, and with `minimalIdToken` all of them are.
 */
export const createClaims =
  ({ contacts }: Collaborators) =>
  async (
    client: Client,
    { user, tenant, grants }: Person,
    place: 'id_token' | 'userinfo',
    scopes: ReadonlySet<string>,
  ): Promise<Partial<Record<Claim, unknown>>> => {
    if (place === 'id_token' && client.minimalIdToken) return {}
    const { email, phoneKey } = user
    const isVerified = async (kind: 'email' | 'phone'): Promise<boolean> => {
      const contact = scopes.has(kind) ? contactsOf(user).find((one) => one.kind === kind) : undefined
      return contact !== undefined && contacts.isVerified(user.id, contact)
    }
    const hasEmail = await isVerified('email')
    const hasPhone = await isVerified('phone')
    const isShort = place === 'userinfo' || JSON.stringify(grants.roleKeys).length <= maxList
    return {
      name: user.realName,
      preferred_username: isShared(client) ? userNameAt(user) : user.username,
      ...(user.avatar?.startsWith('https://') && { picture: user.avatar }),
      ...(genderNames[user.gender] && { gender: genderNames[user.gender] }),
      updated_at: Math.floor(user.updateTime / 1000),
      // Applications join accounts by it: who has typed an address need not be its owner.
      ...(email !== null && (hasEmail || client.unverifiedEmail) && { email, email_verified: hasEmail }),
      ...(hasPhone && phoneKey !== null && { phone_number: phoneKey, phone_number_verified: true }),
      ...(isShort && { groups: grants.roleKeys, roles: grants.roleKeys }),
      tenant_id: tenant.id,
      tenant_name: tenant.name,
    }
  }

export type FindClaims = ReturnType<typeof createClaims>
