import { setImmediate } from 'node:timers/promises'
import type { Kysely, Selectable } from 'kysely'
import type { Keeps } from '../keeps.js'
import { contains } from '../contains.js'
import { fold } from '../fold.js'
import { byPrimaryKey, equals, readPageInSteps, type Match } from '../lists/page-in-steps.js'
import type { Steps } from '../lists/steps.js'
import { inOrderOf, type Page } from '../paging.js'
import type { Tables, TenantTable } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  tenants: { key: ['id'] },
} satisfies Keeps

export interface Tenant {
  id: number
  name: string
  enabled: boolean
  /** Whether its users need a second factor. */
  secondFactorRequired: boolean
  /** Epoch milliseconds. */
  createTime: number
}

export interface TenantFilter {
  id?: number | undefined
  /** Contained, case-insensitive. */
  name?: string | undefined
}

export interface TenantOrder {
  column: 'id' | 'name' | 'createTime'
  direction: 'asc' | 'desc'
}

/** Tenants that are read at a time, between which other requests are answered. */
const batch = 500

const columnOf = { id: 'id', name: 'tenant_name_key', createTime: 'create_time' } as const

const toTenant = (row: Selectable<TenantTable>): Tenant => ({
  id: row.id,
  name: row.tenant_name,
  enabled: row.enabled === 1,
  secondFactorRequired: row.second_factor_required === 1,
  createTime: row.create_time,
})

export type TenantRepository = ReturnType<typeof createTenantRepository>

export const createTenantRepository = (db: Kysely<Tables>) => ({
  async find(id: number): Promise<Tenant | undefined> {
    const row = await db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toTenant(row)
  },

  /** The names of some tenants, for a page. */
  async namesOf(ids: number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('tenants').select(['id', 'tenant_name']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, tenant_name }) => [id, tenant_name]))
  },

  async findByName(name: string): Promise<Tenant | undefined> {
    const row = await db.selectFrom('tenants').selectAll().where('tenant_name_key', '=', fold(name)).executeTakeFirst()
    return row && toTenant(row)
  },

  async list(): Promise<Tenant[]> {
    const all: Tenant[] = []
    for (;;) {
      const last = all.at(-1)?.id ?? 0
      const rows = await db
        .selectFrom('tenants')
        .selectAll()
        .where('id', '>', last)
        .orderBy('id')
        .limit(batch)
        .execute()
      all.push(...rows.map(toTenant))
      if (rows.length < batch) return all
      await setImmediate()
    }
  },

  async page(
    { id, name }: TenantFilter,
    page: Page,
    order: TenantOrder[],
    steps: Steps,
  ): Promise<{ rows: Tenant[]; total: number }> {
    const few = id === undefined ? [] : [[equals('id', id)]]
    const matches: Match[] = []
    if (name !== undefined)
      matches.push({ column: 'tenant_name_key', condition: contains('tenant_name_key', fold(name)) })
    const sorting = byPrimaryKey(order.map(({ column, direction }) => ({ column: columnOf[column], direction })))
    const { ids, total } = await readPageInSteps({ db, table: 'tenants', matches, few, ...sorting }, page, steps)
    if (ids.length === 0) return { rows: [], total }
    const rows = await db.selectFrom('tenants').selectAll().where('id', 'in', ids).execute()
    return { rows: inOrderOf(ids, rows).map(toTenant), total }
  },

  async rename(id: number, name: string, now: number): Promise<void> {
    await db
      .updateTable('tenants')
      .set({ tenant_name: name, tenant_name_key: fold(name), update_time: now })
      .where('id', '=', id)
      .execute()
  },

  async add(name: string, now: number): Promise<Tenant> {
    const row = await db
      .insertInto('tenants')
      .values({ tenant_name: name, tenant_name_key: fold(name), enabled: 1, create_time: now, update_time: now })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toTenant(row)
  },

  async setSecondFactorRequired(id: number, required: boolean, now: number): Promise<void> {
    await db
      .updateTable('tenants')
      .set({ second_factor_required: required ? 1 : 0, update_time: now })
      .where('id', '=', id)
      .execute()
  },

  async setEnabled(id: number, enabled: boolean, now: number): Promise<void> {
    await db
      .updateTable('tenants')
      .set({ enabled: enabled ? 1 : 0, update_time: now })
      .where('id', '=', id)
      .execute()
  },
})
