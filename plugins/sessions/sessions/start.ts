import type { Database, Repositories } from '../../../db/index.js'
import type { NewSession, Session } from '../../../db/repositories/sessions.js'
import { toOwner } from '../../../db/repositories/session-owner.js'
import { banEnd } from '../../../db/repositories/user-bans.js'
import type { Grants } from '../../../db/repositories/user-roles.js'
import type { User, UserTenant } from '../../../db/repositories/users.js'
import type { LoginResult, UserClient } from '../../../schemas/login.js'
import type { Settings } from '../../../schemas/settings.js'
import { userStatuses, userTypes } from '../../../schemas/user.js'
import type { Clock } from '../../../lib/clock.js'
import { statedLanguage } from '../../../lib/language.js'
import { problem } from '../../../lib/problem.js'
import { toTime } from '../../../lib/time-text.js'
import type { Fault } from '../../../lib/violations.js'
import { randomArgument } from '../../../lib/random-id.js'
import type { PageCookie, PageSessions } from './page-sessions.js'
import { settingsOf, type SessionTokens } from './session-tokens.js'

/**
 * Uses a proof up, or asks again what it was given for, in the transaction of what it allows: when that is refused, the proof is as good as
 * before. Throws what the proof itself would.
 */
export type UseProof = (inside: Repositories) => Promise<void>

/** A user whose credential was verified and, for a federated sign-in, the id of the linked identity. */
export type AuthenticatedUser = User & {
  identityId?: number | undefined
  /** Id of the passkey by which the user signs in. */
  passkeyId?: string | undefined
  /** Whether the method has proved two factors. */
  isTwoFactors?: boolean | undefined
  use?: UseProof | undefined
}

/** How a user was proved. */
export type Proof = Pick<Session, 'acr' | 'amr' | 'factorTime'>

/** What the transaction of a session has read of the account. */
export interface AdmittedAccount {
  user: User
  tenant: UserTenant
  grants: Grants
}

/** The decision of the gate of a sign-in by which a session starts; nothing else makes one. */
export interface StartDecision {
  outcome: 'start'
  user: AuthenticatedUser
  proof: Proof
  /** Comes first inside the transaction. */
  use?: UseProof | undefined
  /** The last word of the gate, inside the transaction: false when the tenant or a role asks for what was not proved. */
  admits: (account: AdmittedAccount, repositories: Repositories) => Promise<boolean>
}

/** The client that starts a session. */
export interface SessionClient {
  userClient: UserClient
  address: string
  userAgent: string
  /** Id of the device if the sign-in sent its device cookie. The session can then be refreshed only with this cookie. */
  deviceId: string | undefined
  /** In whose language the user is written to later. */
  acceptLanguage?: string | undefined
  /** Whether a page of the same origin keeps the session by a cookie. */
  hasPage?: boolean
}

/** A session that has started. */
export interface StartedSession {
  result: LoginResult
  page?: PageCookie | undefined
}

const maxUserAgentLength = 300

/**
 * Reads the account again inside the transaction: it may have changed since the credential was verified.
 */
const readAccount = async (
  { users, identities, passkeys, sessions, roles }: Repositories,
  { id: userId, identityId, passkeyId, passwordHash, hasSecondFactor }: AuthenticatedUser,
  userClient: UserClient,
  now: number,
) => {
  const [account, linked, kept, live, grants] = await Promise.all([
    users.findWithTenant(userId),
    identityId === undefined ? [] : identities.ofUser(userId),
    passkeyId === undefined ? [] : passkeys.ofUser(userId),
    sessions.liveOfClient(userId, userClient, now),
    roles.grantsOf(userId),
  ])
  if (account?.user.passwordHash !== passwordHash || account.user.hasSecondFactor !== hasSecondFactor)
    throw problem('invalid_credentials')
  if (identityId !== undefined && !linked.some(({ id }) => id === identityId)) throw problem('invalid_grant')
  if (passkeyId !== undefined && !kept.some(({ id }) => id === passkeyId)) throw problem('invalid_grant')
  const { user, tenant } = account
  // No method proves a service account. Were there one that does, no session would start all the same.
  if (user.userType === userTypes.service) throw problem('invalid_credentials')
  if (!tenant.enabled) throw problem('tenant_disabled')
  if (user.userStatus !== userStatuses.normal) throw problem('account_disabled')
  const end = banEnd(user, now)
  if (end !== null) {
    const faults: Fault[] = [{ field: 'username', rule: 'banned_until', parameters: { time: toTime(end) } }]
    throw problem('account_banned', { retryAfter: (end - now) / 1000, faults })
  }
  return { user, tenant, live, grants }
}

export const createStart = (
  db: Database,
  clock: Clock,
  clients: Settings['clients'],
  sessionTokens: SessionTokens,
  makePage: PageSessions['make'],
) => {
  /** The sessions that must end so that a new one fits in; `live` has the latest first. */
  const replacedBy = (live: string[], userClient: UserClient): string[] => {
    const { maxSessions, onLimit } = settingsOf(clients, userClient)
    if (live.length < maxSessions) return []
    if (onLimit === 'reject') throw problem('session_limit_reached')
    return live.slice(maxSessions - 1)
  }

  /**
   * Starts a session as the gate has decided, and issues its first token. Every sign-in method ends here.
   * `alongside` writes in the same transaction. Resolves to undefined when the gate does not admit it: nothing has been used up then, because
   * whoever has proved two factors is always admitted. Throws `account_disabled`, `account_banned`, `tenant_disabled`, `session_limit_reached`,
   * and `invalid_credentials` or `invalid_grant` if the password or the linked identity has changed since the check.
   */
  return (
    { user: authenticated, proof, use, admits }: StartDecision,
    { userClient, address, userAgent, deviceId, acceptLanguage, hasPage = false }: SessionClient,
    alongside: (repositories: Repositories) => Promise<void>,
  ): Promise<StartedSession | undefined> =>
    db.transaction(
      async (repositories) => {
        const now = clock.now()
        await use?.(repositories)
        const { user, tenant, live, grants } = await readAccount(repositories, authenticated, userClient, now)
        if (!(await admits({ user, tenant, grants }, repositories))) return undefined
        const replaced = replacedBy(live, userClient)
        const { idleTtl, maxTtl } = settingsOf(clients, userClient)
        const tokenSession = {
          id: randomArgument(),
          userId: user.id,
          tenantId: user.tenantId,
          userClient,
          expiry: now + maxTtl * 1000,
        }
        const generation = 1
        const issued = sessionTokens.issue(tokenSession, generation, grants)
        const page = hasPage ? makePage(tokenSession) : undefined
        const session: NewSession = {
          ...tokenSession,
          generation,
          generationTime: now,
          // The first token has no predecessor that could be refreshed late.
          encryptedToken: null,
          deviceId: deviceId ?? null,
          identityId: authenticated.identityId ?? null,
          pageSecretHash: page?.secretHash,
          loginIp: address,
          userAgent: userAgent.slice(0, maxUserAgentLength),
          createTime: now,
          lastActiveTime: now,
          idleExpiry: now + idleTtl * 1000,
          ...proof,
          authTime: now,
        }
        await Promise.all([
          repositories.sessions.end(replaced, 'replaced', now),
          repositories.sessions.add(session),
          repositories.users.recordLogin(user.id, address, now, statedLanguage(acceptLanguage)),
          alongside(repositories),
        ])
        const unused = { generationUsedTime: null, previousUsedTime: null, endReason: null }
        const result = sessionTokens.toResult(issued, toOwner({ ...session, ...unused }, user, tenant, grants))
        return { result, page: page?.cookie }
      },
      { tenant: authenticated.tenantId, user: authenticated.id },
    )
}
