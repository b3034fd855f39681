import type { Grant as LibraryGrant, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import { randomId } from '../../../lib/random-id.js'
import type { Client } from '../repositories/clients.js'
import type { Grant } from '../repositories/grants.js'
import type { Resources } from '../resources.js'
import { recordOf } from './record.js'
import type { OwnerOf } from './request-owner.js'

export type LoadGrant = (ctx: KoaContextWithOIDC) => Promise<LibraryGrant | undefined>

interface Collaborators {
  db: Database
  clock: Clock
  ownerOf: OwnerOf
  resources: Pick<Resources, 'wanted'>
  /** Longest life of what follows from one sign-in, milliseconds. */
  maxLife: number
}

/** Housekeeping waits for this time, in which the application is told that the session has expired. Milliseconds. */
const afterExpiry = 24 * 3600 * 1000
/** Sessions of a user with applications. */
const maxGrants = 200

/** The grant of a session for an application: one for each, so that what is stolen of one ends alone. */
export const createLoadGrant = ({ db, clock, ownerOf, resources, maxLife }: Collaborators): LoadGrant => {
  /** What the application may know without another question. */
  const allowed = async (client: Client, userId: number, wanted: string[], now: number): Promise<string[]> => {
    if (client.consent === 'never' && client.type !== 'native') return wanted
    const consent = await db.providerConsents.find(userId, client.id)
    if (!consent) return []
    await db.providerConsents.put({ ...consent, lastUsedTime: now })
    return wanted.filter((scope) => consent.scopes.includes(scope))
  }

  return async ({ req, oidc }) => {
    const [owner, client] = [ownerOf(req), recordOf(oidc.client)]
    if (!owner || !client || !oidc.session) return undefined
    const { session, user } = owner
    const now = clock.now()
    const wanted = resources.wanted(oidc.params ?? {}, client)
    const known = await db.providerGrants.ofSession(session.id, client.id)
    const hasAll = known !== undefined && wanted.every((scope) => known.scopes.includes(scope))
    const given = hasAll ? wanted : await allowed(client, user.id, wanted, now)
    const expiry = client.refreshTokens === 'offline' ? now + maxLife : session.expiry + afterExpiry
    const fresh: Grant & { sessionId: string } = {
      ...{ id: randomId(), userId: user.id, clientId: client.id, sessionId: session.id, sid: randomId() },
      ...{ scopes: given, createTime: now, lastUsedTime: now, expiry },
    }
    const grant = known ?? (await db.providerGrants.add(fresh))
    if (!known) await db.providerGrants.trim(user.id, maxGrants)
    const scopes = [...new Set([...grant.scopes, ...given])]
    if (scopes.length > grant.scopes.length) await db.providerGrants.use(grant.id, scopes, now)
    oidc.session.authorizations = { [client.id]: { sid: grant.sid ?? undefined, grantId: grant.id } }
    return oidc.provider.Grant.find(grant.id)
  }
}
