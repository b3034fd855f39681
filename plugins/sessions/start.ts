import type { Database, Repositories } from '../../db/index.js'
import type { NewSession } from '../../db/repositories/sessions.js'
import type { User } from '../../db/repositories/users.js'
import type { LoginResult, UserClient } from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import { userStatuses } from '../../schemas/user.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'
import { randomArgument } from '../../lib/random-id.js'
import type { SessionTokens } from './session-tokens.js'

/** A user whose credential was right, and the linked identity that showed it, if any. */
export type AuthenticatedUser = User & { identityId?: number | undefined }

/** Where a session is started from. */
export interface SessionClient {
  userClient: UserClient
  address: string
  userAgent: string
  /** Id of the device, when the sign-in brought its cookie: the session is refreshed only with it. */
  deviceId: string | undefined
}

const maxUserAgentLength = 300

/** The account as it is now, not as it was when the credential was checked: it may have been closed meanwhile. */
const readAccount = async (repositories: Repositories, authenticated: AuthenticatedUser) => {
  const account = await repositories.users.findWithTenant(authenticated.id)
  if (account?.user.passwordHash !== authenticated.passwordHash) throw problem('invalid_credentials')
  if (authenticated.identityId !== undefined) {
    const linked = await repositories.identities.ofUser(authenticated.id)
    if (!linked.some(({ id }) => id === authenticated.identityId)) throw problem('invalid_grant')
  }
  const { user, tenant } = account
  if (!tenant.enabled) throw problem('tenant_disabled')
  if (user.userStatus !== userStatuses.normal) throw problem('account_disabled')
  return account
}

export const createStart = (db: Database, clock: Clock, clients: Settings['clients'], sessionTokens: SessionTokens) => {
  const makeRoom = async ({ sessions }: Repositories, user: User, userClient: UserClient, now: number) => {
    const { maxSessions, onLimit } = clients[userClient]
    const live = await sessions.liveOfClient(user.id, userClient, now)
    if (live.length < maxSessions) return
    if (onLimit === 'reject') throw problem('session_limit_reached')
    // Latest first: what does not fit beside the new one is the oldest.
    await sessions.end(live.slice(maxSessions - 1), 'replaced', now)
  }

  /**
   * Starts a session for a user whose credential was right, and issues its first token: the one way in, for all
   * sign-in methods. What `alongside` writes is kept with it or not at all. Throws `account_disabled`, `tenant_disabled`, `session_limit_reached`.
   */
  return (
    authenticated: AuthenticatedUser,
    { userClient, address, userAgent, deviceId }: SessionClient,
    alongside: (repositories: Repositories) => Promise<void>,
  ): Promise<LoginResult> =>
    db.transaction(async (repositories) => {
      const now = clock.now()
      const { user, tenant } = await readAccount(repositories, authenticated)
      await makeRoom(repositories, user, userClient, now)
      const { idleTtl, maxTtl } = clients[userClient]
      const holder = {
        id: randomArgument(),
        userId: user.id,
        tenantId: user.tenantId,
        userClient,
        expiry: now + maxTtl * 1000,
      }
      const generation = 1
      const issued = sessionTokens.issue(holder, generation)
      const session: NewSession = {
        ...holder,
        generation,
        generationTime: now,
        // Nobody can come late with the token before the first.
        sealedToken: null,
        deviceId: deviceId ?? null,
        identityId: authenticated.identityId ?? null,
        loginIp: address,
        userAgent: userAgent.slice(0, maxUserAgentLength),
        createTime: now,
        lastActiveTime: now,
        idleExpiry: now + idleTtl * 1000,
      }
      await repositories.sessions.add(session)
      await repositories.users.recordLogin(user.id, address, now)
      await alongside(repositories)
      const unused = { generationUsedTime: null, previousUsedTime: null, endReason: null }
      const grants = await repositories.roles.grantsOf(user.id)
      return sessionTokens.toResult(issued, { session: { ...session, ...unused }, user, tenant, grants })
    })
}
