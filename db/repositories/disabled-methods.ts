import type { Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import { compileQuery } from '../query.js'
import type { Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  disabled_login_methods: { key: ['tenant_id', 'auth_type'] },
} satisfies Keeps

const selectOfTenant = compileQuery((db, { tenantId }: { tenantId: number }) =>
  db.selectFrom('disabled_login_methods').select('auth_type').where('tenant_id', '=', tenantId).orderBy('auth_type'),
)

export type DisabledMethodRepository = ReturnType<typeof createDisabledMethodRepository>

/** The login methods that a tenant has disabled. */
export const createDisabledMethodRepository = (db: Kysely<Tables>) => ({
  of: async (tenantId: number): Promise<string[]> =>
    (await selectOfTenant(db, { tenantId })).map((row) => row.auth_type),

  /** Idempotent. */
  async add(tenantId: number, authTypes: string[]): Promise<void> {
    if (authTypes.length === 0) return
    await db
      .insertInto('disabled_login_methods')
      .values(authTypes.map((authType) => ({ tenant_id: tenantId, auth_type: authType })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  async remove(tenantId: number, authTypes: string[]): Promise<void> {
    if (authTypes.length === 0) return
    await db
      .deleteFrom('disabled_login_methods')
      .where('tenant_id', '=', tenantId)
      .where('auth_type', 'in', authTypes)
      .execute()
  },
})
