import type { Kysely, Selectable } from 'kysely'
import { contains } from '../contains.js'
import { fold } from '../fold.js'
import { readPage, type Page } from '../paging.js'
import type { Tables, TenantTable } from '../tables.js'

export interface Tenant {
  id: number
  name: string
  enabled: boolean
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

const columnOf = { id: 'id', name: 'tenant_name_key', createTime: 'create_time' } as const

const toTenant = (row: Selectable<TenantTable>): Tenant => ({
  id: row.id,
  name: row.tenant_name,
  enabled: row.enabled === 1,
  createTime: row.create_time,
})

export type TenantRepository = ReturnType<typeof createTenantRepository>

export const createTenantRepository = (db: Kysely<Tables>) => ({
  async find(id: number): Promise<Tenant | undefined> {
    const row = await db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toTenant(row)
  },

  async findByName(name: string): Promise<Tenant | undefined> {
    const row = await db.selectFrom('tenants').selectAll().where('tenant_name_key', '=', fold(name)).executeTakeFirst()
    return row && toTenant(row)
  },

  async list(): Promise<Tenant[]> {
    const rows = await db.selectFrom('tenants').selectAll().orderBy('id').execute()
    return rows.map(toTenant)
  },

  async page(filter: TenantFilter, page: Page, order: TenantOrder[]): Promise<{ rows: Tenant[]; total: number }> {
    let filtered = db.selectFrom('tenants')
    if (filter.id !== undefined) filtered = filtered.where('id', '=', filter.id)
    if (filter.name !== undefined) filtered = filtered.where(contains('tenant_name_key', fold(filter.name)))
    const { rows, total } = await readPage(filtered, page, (query) => {
      let ordered = query.selectAll()
      for (const { column, direction } of order) ordered = ordered.orderBy(columnOf[column], direction)
      return order.some(({ column }) => column === 'id') ? ordered : ordered.orderBy('id')
    })
    return { rows: rows.map(toTenant), total }
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

  async setEnabled(id: number, enabled: boolean, now: number): Promise<void> {
    await db
      .updateTable('tenants')
      .set({ enabled: enabled ? 1 : 0, update_time: now })
      .where('id', '=', id)
      .execute()
  },
})
