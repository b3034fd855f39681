import type { Insertable, Kysely, Selectable } from 'kysely'
import { containsAnyCase } from '../contains.js'
import { readPage, type Page } from '../paging.js'
import { compileInsert } from '../query.js'
import type { AuditTrailTable, Tables } from '../tables.js'

/** A change: who made it, to what, and what was there before and after. */
export interface AuditRow {
  id: number
  /** Epoch milliseconds. */
  time: number
  /** Of the target; null when it belongs to no tenant. */
  tenantId: number | null
  /** Null for a command. */
  actorId: number | null
  actorName: string
  source: 'api' | 'command line'
  address: string
  userAgent: string
  action: string
  targetType: string
  targetId: string
  targetName: string
  /** JSON objects; null when there are none. */
  before: string | null
  after: string | null
}

export interface AuditFilter {
  tenantId?: number | undefined
  /** Contained in the name of who made the change. */
  actorName?: string | undefined
  action?: string | undefined
  targetType?: string | undefined
  targetId?: string | undefined
  /** Epoch milliseconds, both inclusive. */
  timeFrom?: number | undefined
  timeTo?: number | undefined
}

const toRow = (row: Selectable<AuditTrailTable>): AuditRow => ({
  id: row.id,
  time: row.time,
  tenantId: row.tenant_id,
  actorId: row.actor_id,
  actorName: row.actor_name,
  source: row.source,
  address: row.address,
  userAgent: row.user_agent,
  action: row.action,
  targetType: row.target_type,
  targetId: row.target_id,
  targetName: row.target_name,
  before: row.before_values,
  after: row.after_values,
})

const insertRows = compileInsert((db, rows: Insertable<AuditTrailTable>[]) => db.insertInto('audit_trail').values(rows))

export type AuditTrailRepository = ReturnType<typeof createAuditTrailRepository>

export const createAuditTrailRepository = (db: Kysely<Tables>) => {
  const filtered = (filter: AuditFilter) => {
    let query = db.selectFrom('audit_trail')
    if (filter.tenantId !== undefined) query = query.where('tenant_id', '=', filter.tenantId)
    if (filter.actorName !== undefined) query = query.where(containsAnyCase('actor_name', filter.actorName))
    if (filter.action !== undefined) query = query.where('action', '=', filter.action)
    if (filter.targetType !== undefined) query = query.where('target_type', '=', filter.targetType)
    if (filter.targetId !== undefined) query = query.where('target_id', '=', filter.targetId)
    if (filter.timeFrom !== undefined) query = query.where('time', '>=', filter.timeFrom)
    if (filter.timeTo !== undefined) query = query.where('time', '<=', filter.timeTo)
    return query
  }

  return {
    async add(rows: Omit<AuditRow, 'id'>[]): Promise<void> {
      const toInsert = rows.map((row) => ({
        time: row.time,
        tenant_id: row.tenantId,
        actor_id: row.actorId,
        actor_name: row.actorName,
        source: row.source,
        address: row.address,
        user_agent: row.userAgent,
        action: row.action,
        target_type: row.targetType,
        target_id: row.targetId,
        target_name: row.targetName,
        before_values: row.before,
        after_values: row.after,
      }))
      await insertRows(db, toInsert)
    },

    /** Whether such a change was made to what is no longer there. */
    async has(
      filter: Required<Pick<AuditFilter, 'action' | 'targetType' | 'targetId'>> & AuditFilter,
    ): Promise<boolean> {
      return (await filtered(filter).select('id').limit(1).executeTakeFirst()) !== undefined
    },

    /** Ordered by time, then by id. */
    async page(
      filter: AuditFilter,
      page: Page,
      direction: 'asc' | 'desc',
    ): Promise<{ rows: AuditRow[]; total: number }> {
      const { rows, total } = await readPage(filtered(filter), page, (query) =>
        query.selectAll().orderBy('time', direction).orderBy('id', direction),
      )
      return { rows: rows.map(toRow), total }
    },

    /** Deletes up to `limit` rows before `time`; returns how many. */
    async purge(time: number, limit: number): Promise<number> {
      const result = await db
        .deleteFrom('audit_trail')
        .where('id', 'in', (query) =>
          query.selectFrom('audit_trail').select('id').where('time', '<', time).orderBy('time').limit(limit),
        )
        .executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}
