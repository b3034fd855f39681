import type { Grant as LibraryGrant, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import { randomId } from '../../../lib/random-id.js'
import type { Grant } from '../repositories/grants.js'
import { recordOf } from './record.js'
import type { OwnerOf } from './request-owner.js'

export type LoadGrant = (ctx: KoaContextWithOIDC) => Promise<LibraryGrant | undefined>

interface Collaborators {
  db: Database
  clock: Clock
  ownerOf: OwnerOf
  /** Longest life of what follows from one sign-in, milliseconds. */
  maxLife: number
}

/** The grant of a session for an application: one for each, so that what is stolen of one ends alone. */
export const createLoadGrant =
  ({ db, clock, ownerOf, maxLife }: Collaborators): LoadGrant =>
  async ({ req, oidc }) => {
    const [owner, client] = [ownerOf(req), recordOf(oidc.client)]
    if (!owner || !client || !oidc.session) return undefined
    const now = clock.now()
    const wanted = [...oidc.requestParamOIDCScopes].filter((scope) => client.scopes.some((one) => one === scope))
    const fresh: Grant & { sessionId: string } = {
      ...{ id: randomId(), userId: owner.user.id, clientId: client.id, sessionId: owner.session.id, sid: randomId() },
      ...{ scopes: wanted, createTime: now, lastUsedTime: now, expiry: now + maxLife },
    }
    const known = await db.providerGrants.ofSession(owner.session.id, client.id)
    const grant = known && known.expiry > now ? known : await db.providerGrants.add(fresh)
    const scopes = [...new Set([...grant.scopes, ...wanted])]
    if (scopes.length > grant.scopes.length) await db.providerGrants.use(grant.id, scopes, now)
    oidc.session.authorizations = { [client.id]: { sid: grant.sid ?? undefined, grantId: grant.id } }
    return oidc.provider.Grant.find(grant.id)
  }
