import type { Database, Repositories } from '../../db/index.js'
import type { NewSession } from '../../db/repositories/sessions.js'
import type { User } from '../../db/repositories/users.js'
import type { LoginResult, UserClient } from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import { userStatuses } from '../../schemas/user.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'
import { toTime } from '../../lib/time-text.js'
import type { Fault } from '../../lib/violations.js'
import { randomArgument } from '../../lib/random-id.js'
import { settingsOf } from './client-settings.js'
import type { SessionTokens } from './session-tokens.js'

/** A user whose credential was verified and, for a federated sign-in, the id of the linked identity. */
export type AuthenticatedUser = User & { identityId?: number | undefined }

/** The client that starts a session. */
export interface SessionClient {
  userClient: UserClient
  address: string
  userAgent: string
  /** Id of the device if the sign-in sent its device cookie. The session can then be refreshed only with this cookie. */
  deviceId: string | undefined
}

const maxUserAgentLength = 300

/** Reads the account again inside the transaction: it may have changed since the credential was verified. */
const readAccount = async (repositories: Repositories, authenticated: AuthenticatedUser, now: number) => {
  const account = await repositories.users.findWithTenant(authenticated.id)
  if (account?.user.passwordHash !== authenticated.passwordHash) throw problem('invalid_credentials')
  if (authenticated.identityId !== undefined) {
    const linked = await repositories.identities.ofUser(authenticated.id)
    if (!linked.some(({ id }) => id === authenticated.identityId)) throw problem('invalid_grant')
  }
  const { user, tenant } = account
  if (!tenant.enabled) throw problem('tenant_disabled')
  if (user.userStatus !== userStatuses.normal) throw problem('account_disabled')
  const ban = await repositories.userBans.find(user.id, now)
  if (ban) {
    const faults: Fault[] = [{ field: 'username', rule: 'banned_until', parameters: { time: toTime(ban.expiry) } }]
    throw problem('account_banned', { retryAfter: (ban.expiry - now) / 1000, faults })
  }
  return account
}

export const createStart = (db: Database, clock: Clock, clients: Settings['clients'], sessionTokens: SessionTokens) => {
  const enforceSessionLimit = async ({ sessions }: Repositories, user: User, userClient: UserClient, now: number) => {
    const { maxSessions, onLimit } = settingsOf(clients, userClient)
    const live = await sessions.liveOfClient(user.id, userClient, now)
    if (live.length < maxSessions) return
    if (onLimit === 'reject') throw problem('session_limit_reached')
    // `live` has the latest first: end the oldest, so that the new session fits in.
    await sessions.end(live.slice(maxSessions - 1), 'replaced', now)
  }

  /**
   * Starts a session for a user whose credential was verified, and issues its first token. Every sign-in method ends here.
   * `alongside` writes in the same transaction. Throws `account_disabled`, `account_banned`, `tenant_disabled`, `session_limit_reached`,
   * and `invalid_credentials` or `invalid_grant` if the password or the linked identity has changed since the check.
   */
  return (
    authenticated: AuthenticatedUser,
    { userClient, address, userAgent, deviceId }: SessionClient,
    alongside: (repositories: Repositories) => Promise<void>,
  ): Promise<LoginResult> =>
    db.transaction(
      async (repositories) => {
        const now = clock.now()
        const { user, tenant } = await readAccount(repositories, authenticated, now)
        await enforceSessionLimit(repositories, user, userClient, now)
        const { idleTtl, maxTtl } = settingsOf(clients, userClient)
        const tokenSession = {
          id: randomArgument(),
          userId: user.id,
          tenantId: user.tenantId,
          userClient,
          expiry: now + maxTtl * 1000,
        }
        const generation = 1
        const grants = await repositories.roles.grantsOf(user.id)
        const issued = sessionTokens.issue(tokenSession, generation, grants)
        const session: NewSession = {
          ...tokenSession,
          generation,
          generationTime: now,
          // The first token has no predecessor that could be refreshed late.
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
        return sessionTokens.toResult(issued, { session: { ...session, ...unused }, user, tenant, grants })
      },
      { tenant: authenticated.tenantId, user: authenticated.id },
    )
}
