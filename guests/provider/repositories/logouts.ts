import { sql, type Kysely } from 'kysely'
import type { Ended } from '../../../db/repositories/sessions.js'
import type { Tables } from '../../../db/tables.js'
import { isOutlived } from '../outlived.js'

interface LogoutTable {
  session_id: string
  client_id: string
  /** What the application calls the session. */
  sid: string
  user_id: number
  due_time: number
  /** How often it has been sent in vain. */
  tries: number
  /** Until then another process is at it. */
  claimed_until: number
  expiry: number
}

declare module '../../../db/tables.js' {
  interface OtherTables {
    provider_logouts: LogoutTable
  }
}

/** An application that has to be told that a session is over. Times are epoch milliseconds. */
export interface Logout {
  sessionId: string
  clientId: string
  sid: string
  userId: number
  tries: number
}

/** How long an application is told at most. Milliseconds. */
const life = 15 * 60_000
/** Sessions that one statement takes. */
const batch = 500

export const createLogouts = (db: Kysely<Tables>) => {
  /** Ends what applications have of sessions that are over, and writes down whom to tell. */
  const endOf = async (ids: string[], reason: Ended['reason'] | undefined, now: number): Promise<void> => {
    const grants = await db.selectFrom('provider_grants').select('id').where('session_id', 'in', ids).execute()
    if (grants.length === 0) return
    await db
      .insertInto('provider_logouts')
      .columns(['session_id', 'client_id', 'sid', 'user_id', 'due_time', 'tries', 'claimed_until', 'expiry'])
      .expression(
        (build) =>
          build
            .selectFrom('provider_grants')
            .innerJoin('provider_clients', 'provider_clients.id', 'provider_grants.client_id')
            .select([
              'provider_grants.session_id',
              'provider_grants.client_id',
              'provider_grants.sid',
              'provider_grants.user_id',
              sql<number>`${sql.lit(now)}`.as('due_time'),
              sql<number>`0`.as('tries'),
              sql<number>`0`.as('claimed_until'),
              sql<number>`${sql.lit(now + life)}`.as('expiry'),
            ])
            .where('provider_grants.session_id', 'in', ids)
            .where('provider_grants.sid', 'is not', null)
            .where('provider_clients.logout_uri', 'is not', null) as never,
      )
      .onConflict((conflict) => conflict.columns(['session_id', 'client_id']).doNothing())
      .execute()
    let entries = db.deleteFrom('provider_entries').where('session_id', 'in', ids)
    if (isOutlived(reason)) entries = entries.where('is_offline', '=', 0)
    await entries.execute()
    // What offline tokens still need belongs to no session any more.
    await db.updateTable('provider_grants').set({ session_id: null }).where('session_id', 'in', ids).execute()
    await db
      .deleteFrom('provider_grants')
      .where(
        'id',
        'in',
        grants.map(({ id }) => id),
      )
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('provider_entries')
              .select('provider_entries.id_hash')
              .whereRef('provider_entries.grant_id', '=', 'provider_grants.id'),
          ),
        ),
      )
      .execute()
  }

  return {
    async endSessions({ ids, reason, now, userId, except, tenantId }: Ended): Promise<void> {
      for (let start = 0; start < ids.length; start += batch) await endOf(ids.slice(start, start + batch), reason, now)
      if (isOutlived(reason)) return
      // Also those whose sessions were over before.
      if (userId !== undefined) {
        let ofUser = db.deleteFrom('provider_entries').where('user_id', '=', userId)
        if (except !== undefined)
          ofUser = ofUser.where((either) =>
            either.or([either('session_id', '!=', except), either('is_offline', '=', 1)]),
          )
        await ofUser.execute()
      }
      if (tenantId !== undefined)
        await db
          .deleteFrom('provider_entries')
          .where('user_id', 'in', (query) => query.selectFrom('users').select('id').where('tenant_id', '=', tenantId))
          .execute()
    },

    /** Ends what applications have of sessions that have expired, a few at a time; returns of how many. */
    async endExpired(now: number): Promise<number> {
      const rows = await db
        .selectFrom('provider_grants')
        .leftJoin('sessions', 'sessions.id', 'provider_grants.session_id')
        .select('provider_grants.session_id')
        .distinct()
        .where('provider_grants.session_id', 'is not', null)
        .where((either) =>
          either.or([
            either('sessions.id', 'is', null),
            either('sessions.expiry', '<=', now),
            either('sessions.idle_expiry', '<=', now),
          ]),
        )
        .limit(batch)
        .execute()
      const ids = rows.flatMap(({ session_id: id }) => id ?? [])
      if (ids.length > 0) await endOf(ids, undefined, now)
      return ids.length
    },

    /** Takes some that are due, so that no other process sends them before `until`. */
    async claim(now: number, until: number, limit: number): Promise<Logout[]> {
      const rows = await db
        .selectFrom('provider_logouts')
        .selectAll()
        .where('due_time', '<=', now)
        .where('claimed_until', '<=', now)
        .orderBy('due_time')
        .limit(limit)
        .execute()
      const claimed: Logout[] = []
      for (const row of rows) {
        const { numUpdatedRows } = await db
          .updateTable('provider_logouts')
          .set({ claimed_until: until })
          .where('session_id', '=', row.session_id)
          .where('client_id', '=', row.client_id)
          .where('claimed_until', '=', row.claimed_until)
          .executeTakeFirst()
        const { session_id: sessionId, client_id: clientId, sid, user_id: userId, tries } = row
        if (numUpdatedRows > 0n) claimed.push({ sessionId, clientId, sid, userId, tries })
      }
      return claimed
    },

    async again({ sessionId, clientId, tries }: Logout, dueTime: number): Promise<void> {
      await db
        .updateTable('provider_logouts')
        .set({ tries: tries + 1, due_time: dueTime, claimed_until: 0 })
        .where('session_id', '=', sessionId)
        .where('client_id', '=', clientId)
        .execute()
    },

    async remove({ sessionId, clientId }: Pick<Logout, 'sessionId' | 'clientId'>): Promise<void> {
      await db
        .deleteFrom('provider_logouts')
        .where('session_id', '=', sessionId)
        .where('client_id', '=', clientId)
        .execute()
    },

    /** All that wait, the next one first. */
    async waiting(): Promise<{ clientId: string; dueTime: number }[]> {
      const rows = await db
        .selectFrom('provider_logouts')
        .select(['client_id', 'due_time'])
        .orderBy('due_time')
        .execute()
      return rows.map(({ client_id: clientId, due_time: dueTime }) => ({ clientId, dueTime }))
    },

    /** How many wait, by the application; of others none. */
    async pending(): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('provider_logouts')
        .select(['client_id', ({ fn }) => fn.countAll<number | string>().as('count')])
        .groupBy('client_id')
        .execute()
      return new Map(rows.map(({ client_id: id, count }) => [id, Number(count)]))
    },

    /** How many wait in all. */
    async size(): Promise<number> {
      const { count } = await db
        .selectFrom('provider_logouts')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}
