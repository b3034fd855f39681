import type { Identity } from '../../db/repositories/identities.js'
import type { User } from '../../db/repositories/users.js'
import type { MethodsSource, TenantMethods } from '../login/tenant-methods.js'

interface Collaborators {
  /** The configured login methods that the tenant has not disabled. */
  authTypes: TenantMethods['authTypes']
  canSignIn: (identity: Identity) => boolean
  isOverdue: (user: User) => boolean
}

/**
 * Creates a check of whether users of a tenant can sign in with the login methods that the tenant offers. Inside a
 * transaction, `source` is its repositories.
 */
export const createSignInCheck =
  ({ authTypes, canSignIn, isOverdue }: Collaborators) =>
  async (tenantId: number, source?: MethodsSource) => {
    const offered = await authTypes(tenantId, source)
    const offers = (...names: string[]) => names.some((name) => offered.includes(name))
    /** Whether the user can sign in by password, one-time code or one of these identities. */
    return (user: User, identities: Identity[]): boolean =>
      (user.passwordHash !== null && !isOverdue(user) && offers('password', 'password_captcha')) ||
      (user.phone !== null && offers('phone_captcha')) ||
      (user.email !== null && offers('email_captcha')) ||
      (offers('oauth2', 'social') && identities.some(canSignIn))
  }

export type SignInCheckFor = ReturnType<typeof createSignInCheck>
