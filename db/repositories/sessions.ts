import { setImmediate } from 'node:timers/promises'
import type { Insertable, Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import type { Steps } from '../lists/steps.js'
import type { Page } from '../paging.js'
import { compileInsert, compileQuery } from '../query.js'
import { readOwner, toSession, type EndReason, type FindOwner, type NewSession, type Session } from './session-owner.js'
import { readSessionPage, type SessionFilter, type SessionOrder } from './session-page.js'
import type { SessionTable, Tables } from '../tables.js'

export type { EndReason, NewSession, Session, SessionOwner } from './session-owner.js'

/** What this repository keeps. */
export const keeps = {
  sessions: {
    key: ['id'],
    ofUser: 'user_id',
    expires: { column: 'expiry' },
    encrypted: { column: 'sealed_token', purposeOf: (id) => `session ${id}` },
  },
} satisfies Keeps

/** Latest first. */
const liveOfUser = (db: Kysely<Tables>, { userId, now }: { userId: number; now: number }) =>
  db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('end_time', 'is', null)
    .where('expiry', '>', now)
    .where('idle_expiry', '>', now)
    .orderBy('create_time', 'desc')
    .orderBy('id')
const selectLive = compileQuery((db, owner: { userId: number; now: number }) => liveOfUser(db, owner).selectAll())
const selectLiveOfClient = compileQuery((db, owner: { userId: number; userClient: string; now: number }) =>
  liveOfUser(db, owner).select('id').where('user_client', '=', owner.userClient),
)
const selectPageSecretHash = compileQuery((db, { id }: { id: string }) =>
  db.selectFrom('sessions').select('page_secret_hash').where('id', '=', id),
)
const insertSession = compileInsert((db, rows: Insertable<SessionTable>[]) => db.insertInto('sessions').values(rows))

/** Sessions that one statement ends, few enough to hold the event loop for a moment only. */
const batch = 500

const endMany = (db: Kysely<Tables>, { reason, now }: { reason: EndReason; now: number }) =>
  db
    .updateTable('sessions')
    .set({ end_time: now, end_reason: reason, sealed_token: null })
    .where('end_time', 'is', null)
const endSession = compileQuery((db, end: { id: string; reason: EndReason; now: number }) =>
  endMany(db, end).where('id', '=', end.id),
)

/** What ends: sessions by their ids, which may be thousands, more than one statement takes as values. */
export interface Ended {
  ids: string[]
  reason: EndReason
  now: number
  /** Present where all sessions of this user end, but for `except`; there may be none. */
  userId?: number
  except?: string | undefined
  /** Present where all sessions of this tenant end. */
  tenantId?: number
}

/** Learns what ends, in the transaction that ends it. */
export type OnSessionEnd = (db: Kysely<Tables>, ended: Ended) => Promise<void>
const listeners: OnSessionEnd[] = []

/** For a guest: `listener` is called wherever sessions end, but not for those that expire. */
export const onSessionEnd = (listener: OnSessionEnd): void => {
  listeners.push(listener)
}

/** Runs a statement that ends sessions; returns how many. */
const runEnd = async (
  db: Kysely<Tables>,
  statement: ReturnType<typeof endMany>,
  ended: Omit<Ended, 'ids'>,
): Promise<number> => {
  if (listeners.length === 0) return Number((await statement.executeTakeFirst()).numUpdatedRows)
  const ids = (await statement.returning('id').execute()).map(({ id }) => id)
  const isOfAll = ended.userId !== undefined || ended.tenantId !== undefined
  if (ids.length > 0 || isOfAll) for (const listener of listeners) await listener(db, { ...ended, ids })
  return ids.length
}

const toRow = (session: NewSession): Insertable<SessionTable> => ({
  id: session.id,
  user_id: session.userId,
  tenant_id: session.tenantId,
  user_client: session.userClient,
  generation: session.generation,
  generation_time: session.generationTime,
  sealed_token: session.encryptedToken,
  device_id: session.deviceId,
  identity_id: session.identityId,
  page_secret_hash: session.pageSecretHash ?? null,
  login_ip: session.loginIp,
  user_agent: session.userAgent,
  create_time: session.createTime,
  last_active_time: session.lastActiveTime,
  idle_expiry: session.idleExpiry,
  expiry: session.expiry,
  acr: session.acr,
  amr: session.amr.join(' '),
  auth_time: session.authTime,
  factor_time: session.factorTime,
})

export type SessionRepository = ReturnType<typeof createSessionRepository>

/** A repository of a transaction finds without a cache, because it must see what the transaction has written. */
export const createSessionRepository = (db: Kysely<Tables>, find: FindOwner = (id) => readOwner(db, id)) => {
  return {
    find,

    /** Live sessions of a user, latest first. */
    live: async (userId: number, now: number): Promise<Session[]> =>
      (await selectLive(db, { userId, now })).map(toSession),

    /** Live sessions with their users. */
    page: (filter: SessionFilter, page: Page, order: SessionOrder, now: number, steps: Steps) =>
      readSessionPage(db, filter, page, order, now, steps),

    /** Ids of the live sessions on one kind of client, latest first. */
    liveOfClient: async (userId: number, userClient: string, now: number): Promise<string[]> =>
      (await selectLiveOfClient(db, { userId, userClient, now })).map(({ id }) => id),

    async add(session: NewSession): Promise<void> {
      await insertSession(db, [toRow(session)])
    },

    async touch(id: string, now: number, idleExpiry: number): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ last_active_time: now, idle_expiry: idleExpiry })
        .where('id', '=', id)
        .where('end_time', 'is', null)
        .execute()
    },

    /** Records the first use of a generation; later uses change nothing. */
    async markGenerationUsed(id: string, generation: number, now: number): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ generation_used_time: now })
        .where('id', '=', id)
        .where('generation', '=', generation)
        .where('generation_used_time', 'is', null)
        .execute()
    },

    /**
     * Starts the next generation with its token, and binds the session to a device. The refresh counts as a use of the
     * old generation.
     */
    async advance(session: Session, encryptedToken: string, deviceId: string | null, now: number): Promise<void> {
      await db
        .updateTable('sessions')
        .set({
          sealed_token: encryptedToken,
          generation: session.generation + 1,
          generation_time: now,
          device_id: deviceId,
          generation_used_time: null,
          previous_used_time: session.generationUsedTime ?? now,
        })
        .where('id', '=', session.id)
        .execute()
    },

    /** Stores how the user was proved in a live session. */
    async setAuthentication(
      id: string,
      { acr, amr, authTime, factorTime }: Pick<Session, 'acr' | 'amr' | 'authTime' | 'factorTime'>,
    ): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ acr, amr: amr.join(' '), auth_time: authTime, factor_time: factorTime })
        .where('id', '=', id)
        .where('end_time', 'is', null)
        .execute()
    },

    /** Binds the sessions of a device to its new id. */
    async moveDevice(userId: number, from: string, to: string): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ device_id: to })
        .where('user_id', '=', userId)
        .where('device_id', '=', from)
        .where('end_time', 'is', null)
        .execute()
    },

    /** The hash of the secret in the page cookie of a session, also of an ended one; null without such a cookie. */
    pageSecretHashOf: async (id: string): Promise<string | null> =>
      (await selectPageSecretHash(db, { id }))[0]?.page_secret_hash ?? null,

    /** Replaces the expired token of the current generation. */
    async renewToken(id: string, encryptedToken: string): Promise<void> {
      await db.updateTable('sessions').set({ sealed_token: encryptedToken }).where('id', '=', id).execute()
    },

    /** Ends sessions; those that have ended already keep their reason. */
    async end(ids: string[], reason: EndReason, now: number): Promise<void> {
      const [first] = ids
      if (first === undefined) return
      // One is by far the most frequent case.
      if (ids.length === 1 && listeners.length === 0) await endSession(db, { id: first, reason, now })
      else await runEnd(db, endMany(db, { reason, now }).where('id', 'in', ids), { now, reason })
    },

    /** Ends the sessions that were in use at some time between the two; returns how many. */
    async endInUse(from: number, to: number, now: number): Promise<number> {
      const inUse = endMany(db, { reason: 'revoked', now })
        .where('create_time', '<=', to)
        .where('last_active_time', '>=', from)
      return runEnd(db, inUse, { now, reason: 'revoked' })
    },

    async endOfUser(userId: number, reason: EndReason, now: number, except?: string): Promise<void> {
      let query = endMany(db, { reason, now }).where('user_id', '=', userId)
      if (except !== undefined) query = query.where('id', '!=', except)
      await runEnd(db, query, { now, reason, userId, except })
    },

    /** Ends the sessions of a user that were started with these linked identities or with an unknown one. */
    async endOfIdentities(userId: number, ids: number[], now: number, except?: string): Promise<void> {
      let query = endMany(db, { reason: 'revoked', now })
        .where('user_id', '=', userId)
        .where('identity_id', 'in', [0, ...ids])
      if (except !== undefined) query = query.where('id', '!=', except)
      await runEnd(db, query, { now, reason: 'revoked' })
    },

    async endOfTenant(tenantId: number, reason: EndReason, now: number): Promise<void> {
      const some = endMany(db, { reason, now }).where('id', 'in', (query) =>
        query
          .selectFrom('sessions')
          .select('id')
          .where('tenant_id', '=', tenantId)
          .where('end_time', 'is', null)
          .limit(batch),
      )
      // Between the steps other requests are answered.
      while ((await runEnd(db, some, { now, reason, tenantId })) > 0) await setImmediate()
    },

    /** Counts the live ones among the `limit` sessions after the id `after`; `last` is undefined when there are no more. */
    async countLive(after: string, limit: number, now: number): Promise<{ live: number; last: string | undefined }> {
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'end_time', 'expiry', 'idle_expiry'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      const live = rows.filter((row) => row.end_time === null && row.expiry > now && row.idle_expiry > now)
      return { live: live.length, last: rows.length < limit ? undefined : rows.at(-1)?.id }
    },
  }
}
