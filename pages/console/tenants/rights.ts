import type { Operations } from '../../../client/index.js'
import { useConsole } from '../console.js'

export type Tenant = Operations['GET /system/tenant/{id}']['data']

/** What the person may do with tenants: only administrators of the system change them. */
export const useTenantRights = () => {
  const { me, may } = useConsole()
  return { mayAdd: me.admin && may('system:tenant:add'), mayEdit: me.admin && may('system:tenant:edit') }
}
