import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Keeps } from '../keeps.js'
import { containsText, equals, readPageInSteps, type Match, type SteppedList } from '../lists/page-in-steps.js'
import type { Steps } from '../lists/steps.js'
import { inOrderOf, type Page } from '../paging.js'
import { compileInsert } from '../query.js'
import type { AuditTrailTable, Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  audit_trail: { key: ['id'], expires: { column: 'time', keptFor: 'audit' } },
} satisfies Keeps

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

/** A change of one thing. */
type Change = Required<Pick<AuditFilter, 'action' | 'targetType' | 'targetId'>> & Pick<AuditFilter, 'tenantId'>

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
    async has({ tenantId, action, targetType, targetId }: Change): Promise<boolean> {
      let query = db
        .selectFrom('audit_trail')
        .select('id')
        .where('action', '=', action)
        .where('target_type', '=', targetType)
        .where('target_id', '=', targetId)
      if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId)
      return (await query.limit(1).executeTakeFirst()) !== undefined
    },

    /** Ordered by time, then by id. */
    async page(
      filter: AuditFilter,
      page: Page,
      direction: 'asc' | 'desc',
      steps: Steps,
    ): Promise<{ rows: AuditRow[]; total: number }> {
      const { tenantId, actorName, action, targetType, targetId, timeFrom: from, timeTo: to } = filter
      const matches: Match[] = []
      if (actorName !== undefined) matches.push(containsText('actor_name', actorName))
      if (action !== undefined) matches.push(equals('action', action))
      if (targetType !== undefined) matches.push(equals('target_type', targetType))
      if (targetId !== undefined) matches.push(equals('target_id', targetId))
      const ofTenant = tenantId === undefined ? [] : [equals('tenant_id', tenantId)]
      const walk = { matches: ofTenant, order: ['time', 'id'], direction }
      const few = targetId === undefined ? [] : [[equals('target_id', targetId)]]
      const list: SteppedList<'audit_trail'> = { db, table: 'audit_trail', walk, from, to, matches, few }
      const { ids, total } = await readPageInSteps(list, page, steps)
      if (ids.length === 0) return { rows: [], total }
      const rows = await db.selectFrom('audit_trail').selectAll().where('id', 'in', ids).execute()
      return { rows: inOrderOf(ids, rows).map(toRow), total }
    },
  }
}
