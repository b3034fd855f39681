import { Notice } from '../shared/frame/notice.js'
import { gap } from '../shared/language/language.js'
import { visible } from '../shared/language/visible.js'
import { request } from '../shared/session/entered.js'
import { useLoaded } from '../shared/use-loaded.js'
import { addressOf, useConsole } from './console.js'
import type { Tenant } from './tenants/rights.js'
import { words } from './words.js'

/** Says of a tenant that is disabled that nobody of it can sign in. */
export const DisabledTenant = ({ tenant }: { tenant: Pick<Tenant, 'id' | 'name' | 'enabled'> }) => {
  const { may } = useConsole()
  if (tenant.enabled) return null
  return (
    <Notice kind="warn">
      {words.common.tenantDisabled(visible(tenant.name))}
      {may('system:tenant:list') && (
        <>
          {gap}
          <a href={addressOf(`tenants/${tenant.id}`)}>{words.common.toTenant}</a>
        </>
      )}
    </Notice>
  )
}

/** The same of the tenant with this number, for those who may see it. Whoever is signed in is of a tenant that is enabled. */
export const DisabledTenantOf = ({ tenantId }: { tenantId: number }) => {
  const { me, may } = useConsole()
  const maySee = me.admin && tenantId !== me.tenantId && may('system:tenant:list')
  const path = { id: tenantId }
  const tenant = useLoaded(async () => (maySee ? request('GET /system/tenant/{id}', { path }) : undefined), [tenantId])
  return tenant.data ? <DisabledTenant tenant={tenant.data} /> : null
}
