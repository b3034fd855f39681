import { hash } from 'node:crypto'
import type { Database, Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import type { User } from '../../../db/repositories/users.js'
import type { Actor } from '../../../lib/actor.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'
import { toTime } from '../../../lib/time-text.js'
import type { Audit } from '../../../plugins/record/audit/audit.js'
import type { Client } from '../repositories/clients.js'
import type { ApplicationGrant } from '../schemas.js'

interface Collaborators {
  db: Database
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** The name of what an application has of somebody, in paths: an address of a document does not fit into one. */
const idOf = (clientId: string): string => (URL.canParse(clientId) ? hash('sha256', clientId, 'base64url') : clientId)

/** What people let applications know. Changes are recorded in the audit trail. */
export const createGrants = ({ db, audit, clock }: Collaborators) => {
  const targetOf = ({ id, name, tenantId }: Pick<Client, 'id' | 'name' | 'tenantId'>) => ({
    ...{ type: 'client' as const, id, name, tenantId },
  })

  /** What is known of an application; of one that describes itself, where it does. */
  const describe = async ({ providerClients }: Pick<Repositories, 'providerClients'>, id: string) =>
    (await providerClients.find(id)) ??
    (URL.canParse(id) ? { id, name: new URL(id).host, homeUrl: null, tenantId: undefined } : undefined)

  return {
    /** The applications that know somebody, the one used last first: those that were allowed to, and those of sessions. */
    async ofUser(userId: number): Promise<ApplicationGrant[]> {
      const now = clock.now()
      const [grants, consents] = await Promise.all([
        db.providerGrants.ofUser(userId),
        db.providerConsents.ofUser(userId),
      ])
      // Without a scope it has asked only.
      const all = [...grants.filter(({ expiry, scopes }) => expiry > now && scopes.length > 0), ...consents]
      const ids = [...new Set(all.map(({ clientId }) => clientId))]
      const found = await Promise.all(
        ids.map(async (id) => {
          const client = await describe(db, id)
          const those = all.filter(({ clientId }) => clientId === id)
          return (
            client && {
              id: idOf(id),
              client: { id, name: client.name, homeUrl: client.homeUrl },
              scopes: [...new Set(those.flatMap(({ scopes }) => scopes))],
              createTime: toTime(Math.min(...those.map(({ createTime }) => createTime))),
              lastUsedTime: toTime(Math.max(...those.map(({ lastUsedTime }) => lastUsedTime))),
            }
          )
        }),
      )
      return found
        .filter((one) => one !== undefined)
        .toSorted((one, other) => other.lastUsedTime.localeCompare(one.lastUsedTime))
    },

    /** Remembers what the person has allowed, for this session or for all. Returns the id of the grant of the session. */
    allow: (
      actor: Actor<SessionOwner>,
      { user, session }: SessionOwner,
      client: Client,
      { scopes, remember }: { scopes: string[]; remember: boolean },
    ): Promise<string> =>
      db.transaction(async (inside) => {
        const now = clock.now()
        const grant = await inside.providerGrants.ofSession(session.id, client.id)
        if (!grant) throw problem('not_found')
        await inside.providerGrants.use(grant.id, [...new Set([...grant.scopes, ...scopes])], now)
        if (!remember) return grant.id
        const before = await inside.providerConsents.find(user.id, client.id)
        const all = [...new Set([...(before?.scopes ?? []), ...scopes])]
        const consent = { userId: user.id, clientId: client.id, scopes: all, lastUsedTime: now }
        await inside.providerConsents.put({ ...consent, createTime: before?.createTime ?? now })
        const target = targetOf(client.isDocument ? { ...client, tenantId: user.tenantId } : client)
        await audit.record(inside, actor, { action: 'grant.add', target, after: { scopes: all } })
        return grant.id
      }),

    /** Ends all that an application has of the person, at once. `id` is that of `ofUser`. Throws `not_found`. */
    end: (
      actor: Actor<SessionOwner>,
      { id: userId, tenantId }: Pick<User, 'id' | 'tenantId'>,
      id: string,
    ): Promise<void> =>
      db.transaction(async (inside: Repositories) => {
        const all = [...(await inside.providerGrants.ofUser(userId)), ...(await inside.providerConsents.ofUser(userId))]
        const those = all.filter(({ clientId }) => idOf(clientId) === id)
        const [{ clientId } = {}] = those
        const client = clientId === undefined ? undefined : await describe(inside, clientId)
        if (clientId === undefined || !client) throw problem('not_found')
        await inside.providerConsents.remove(userId, clientId)
        await inside.providerGrants.removeOfUser(userId, clientId)
        const scopes = [...new Set(those.flatMap((one) => one.scopes))]
        const target = targetOf({ ...client, tenantId: client.tenantId ?? tenantId })
        await audit.record(inside, actor, { action: 'grant.end', target, before: { scopes } })
      }),
  }
}

export type Grants = ReturnType<typeof createGrants>
