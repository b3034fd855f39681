import type { Needs } from '../../../lib/needs.js'
import { invalidField, problem, renamingFields } from '../../../lib/problem.js'
import type { TenantMethodList } from '../../../schemas/tenant.js'
import type { TenantMethod } from '../../identity/login/tenant-methods.js'
import type { Change } from './change.js'
import { checkIsSystemAdmin, isVisible, type Manager } from './policy.js'

const toList = (methods: TenantMethod[]): TenantMethodList => ({
  methods: methods.map(({ authType, enabled }) => ({ name: authType, enabled })),
})

/** The sign-in methods of a tenant, for system administrators. */
export const createManagedMethods = ({ db, login }: Needs<'db' | 'login'>, change: Change) => {
  /** Throws `not_found` and `permission_denied`. */
  const check = async (actor: Manager, id: number): Promise<void> => {
    if (!isVisible(actor, id)) throw problem('not_found')
    checkIsSystemAdmin(actor)
    if (!(await db.tenants.find(id))) throw problem('not_found')
  }

  return {
    async get(actor: Manager, id: number): Promise<TenantMethodList> {
      await check(actor, id)
      return toList(await login.ofTenant.list(id))
    },

    /** Methods that are not named stay as they are. Throws `not_found`, `permission_denied`, `invalid_request`, `last_administrator`. */
    async set(actor: Manager, id: number, { methods }: TenantMethodList): Promise<TenantMethodList> {
      await check(actor, id)
      const named = (wanted: boolean) => methods.filter(({ enabled }) => enabled === wanted).map(({ name }) => name)
      const [enable, disable] = [named(true), named(false)]
      if (enable.some((name) => disable.includes(name))) throw invalidField('methods', 'invalid')
      const changed = login.ofTenant.change(actor, id, { enable, disable }, change)
      return toList(await renamingFields(changed, () => 'methods'))
    },
  }
}
