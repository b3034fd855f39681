import type { Kysely, Selectable } from 'kysely'
import type { MaybePromise } from '../schemas/maybe-promise.js'
import { compileOnce } from './compile-once.js'
import { createRecall, type Version } from './recall.js'
import { readGrants, type Grants } from './roles.js'
import type { SessionTable, Tables } from './tables.js'
import { toUser, type User } from './users.js'

/** Why a session ended before its time. */
export type EndReason = 'logout' | 'replaced' | 'revoked' | 'token_reuse' | 'password_changed' | 'disabled'

export interface Session {
  id: string
  userId: number
  tenantId: number
  userClient: string
  /** Counts the refreshes; each access token carries the generation it was issued in. */
  generation: number
  generationUsedTime: number | null
  /** The same for the generation before. */
  previousUsedTime: number | null
  sealedToken: string | null
  loginIp: string
  userAgent: string
  /** Epoch milliseconds, as all times here. */
  createTime: number
  lastActiveTime: number
  idleExpiry: number
  expiry: number
  endReason: EndReason | null
}

/** A session with its owner, as every request needs it. */
export interface SessionOwner {
  session: Session
  user: User
  tenant: { id: number; name: string; enabled: boolean }
  grants: Grants
}

export type NewSession = Omit<Session, 'generationUsedTime' | 'previousUsedTime' | 'endReason'>

/** Sessions with their owners that need not be read again while nothing is written. */
const recalledOwners = 5000

const toSession = (row: Omit<Selectable<SessionTable>, 'end_time'>): Session => ({
  id: row.id,
  userId: row.user_id,
  tenantId: row.tenant_id,
  userClient: row.user_client,
  generation: row.generation,
  generationUsedTime: row.generation_used_time,
  previousUsedTime: row.previous_used_time,
  sealedToken: row.sealed_token,
  loginIp: row.login_ip,
  userAgent: row.user_agent,
  createTime: row.create_time,
  lastActiveTime: row.last_active_time,
  idleExpiry: row.idle_expiry,
  expiry: row.expiry,
  endReason: row.end_reason as EndReason | null,
})

const selectOwner = compileOnce((db) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('users')
    .select(['tenants.tenant_name', 'tenants.enabled'])
    .select([
      'sessions.id as session_id',
      'sessions.tenant_id as session_tenant_id',
      'sessions.create_time as session_create_time',
      'sessions.user_id',
      'sessions.user_client',
      'sessions.generation',
      'sessions.generation_used_time',
      'sessions.previous_used_time',
      'sessions.sealed_token',
      'sessions.login_ip',
      'sessions.user_agent',
      'sessions.last_active_time',
      'sessions.idle_expiry',
      'sessions.expiry',
      'sessions.end_reason',
    ])
    .where('sessions.id', '=', ''),
)

const readOwner = async (db: Kysely<Tables>, id: string): Promise<SessionOwner | undefined> => {
  const [row] = await selectOwner(db, id)
  if (!row) return undefined
  const { session_id, session_tenant_id: tenant_id, session_create_time: create_time } = row
  return {
    session: toSession({ ...row, id: session_id, tenant_id, create_time }),
    user: toUser(row),
    tenant: { id: row.tenant_id, name: row.tenant_name, enabled: row.enabled === 1 },
    grants: await readGrants(db, row.user_id),
  }
}

/** Remembers sessions with their owners. */
export const createOwnerRecall = (version: Version) => createRecall<SessionOwner>(version, recalledOwners)

export type SessionRepository = ReturnType<typeof createSessionRepository>

/** A repository inside a transaction has no `recall`: it reads what it has written itself. */
export const createSessionRepository = (db: Kysely<Tables>, recall?: ReturnType<typeof createOwnerRecall>) => {
  const end = (reason: EndReason, now: number) =>
    db
      .updateTable('sessions')
      .set({ end_time: now, end_reason: reason, sealed_token: null })
      .where('end_time', 'is', null)

  return {
    find: (id: string): MaybePromise<SessionOwner | undefined> =>
      recall ? recall(id, () => readOwner(db, id)) : readOwner(db, id),

    /** Live sessions of a user, latest first. */
    async live(userId: number, now: number): Promise<Session[]> {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('end_time', 'is', null)
        .where('expiry', '>', now)
        .where('idle_expiry', '>', now)
        .orderBy('create_time', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(toSession)
    },

    async add(session: NewSession): Promise<void> {
      await db
        .insertInto('sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          tenant_id: session.tenantId,
          user_client: session.userClient,
          generation: session.generation,
          sealed_token: session.sealedToken,
          login_ip: session.loginIp,
          user_agent: session.userAgent,
          create_time: session.createTime,
          last_active_time: session.lastActiveTime,
          idle_expiry: session.idleExpiry,
          expiry: session.expiry,
        })
        .execute()
    },

    async touch(id: string, now: number, idleExpiry: number): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ last_active_time: now, idle_expiry: idleExpiry })
        .where('id', '=', id)
        .where('end_time', 'is', null)
        .execute()
    },

    /** Marks the first use of a generation; later uses change nothing. */
    async markGenerationUsed(id: string, generation: number, now: number): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ generation_used_time: now })
        .where('id', '=', id)
        .where('generation', '=', generation)
        .where('generation_used_time', 'is', null)
        .execute()
    },

    /** Moves on to the next generation with its token. Using the old one for that was its latest first use. */
    async advance(session: Session, sealedToken: string, now: number): Promise<void> {
      await db
        .updateTable('sessions')
        .set({
          sealed_token: sealedToken,
          generation: session.generation + 1,
          generation_used_time: null,
          previous_used_time: session.generationUsedTime ?? now,
        })
        .where('id', '=', session.id)
        .execute()
    },

    /** Replaces the token of the current generation, which has outlived it. */
    async renewToken(id: string, sealedToken: string): Promise<void> {
      await db.updateTable('sessions').set({ sealed_token: sealedToken }).where('id', '=', id).execute()
    },

    /** Ends these sessions; ended ones keep their first reason. */
    async end(ids: string[], reason: EndReason, now: number): Promise<void> {
      if (ids.length > 0) await end(reason, now).where('id', 'in', ids).execute()
    },

    async endOfUser(userId: number, reason: EndReason, now: number, except?: string): Promise<void> {
      let query = end(reason, now).where('user_id', '=', userId)
      if (except !== undefined) query = query.where('id', '!=', except)
      await query.execute()
    },

    async endOfTenant(tenantId: number, reason: EndReason, now: number): Promise<void> {
      await end(reason, now).where('tenant_id', '=', tenantId).execute()
    },

    /** Deletes up to `limit` sessions past their last moment; returns how many. */
    async purge(now: number, limit: number): Promise<number> {
      const result = await db
        .deleteFrom('sessions')
        .where('id', 'in', (query) => query.selectFrom('sessions').select('id').where('expiry', '<=', now).limit(limit))
        .executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}
