import type { Kysely, Selectable } from 'kysely'
import { fold } from '../fold.js'
import type { Tables, TenantTable } from '../tables.js'

export interface Tenant {
  id: number
  name: string
  enabled: boolean
  /** Epoch milliseconds. */
  createTime: number
}

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
