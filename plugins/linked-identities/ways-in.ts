import type { Identity } from '../../db/repositories/identities.js'
import type { User } from '../../db/repositories/users.js'

interface Collaborators {
  /** The ways to sign in that are configured, and not disabled for the tenant. */
  authTypes: (tenantId: number) => Promise<string[]>
  canSignIn: (identity: Identity) => boolean
  isOverdue: (user: User) => boolean
}

/** Tells how people can get into their account, of the ways that are configured. */
export const createWaysIn =
  ({ authTypes, canSignIn, isOverdue }: Collaborators) =>
  async (tenantId: number) => {
    const offered = await authTypes(tenantId)
    const offers = (...names: string[]) => names.some((name) => offered.includes(name))
    /** Whether the user can sign in by the password, a code, or one of these identities. */
    return (user: User, identities: Identity[]): boolean =>
      (user.passwordHash !== null && !isOverdue(user) && offers('password', 'password_captcha')) ||
      (user.phone !== null && offers('phone_captcha')) ||
      (user.email !== null && offers('email_captcha')) ||
      (offers('oauth2', 'social') && identities.some(canSignIn))
  }
