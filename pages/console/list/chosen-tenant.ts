import { useLocation } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { request } from '../../shared/session/entered.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'

export interface ChosenTenant {
  id: number
  name: string
  enabled: boolean
}

/**
 * What the address of a form says of the tenant for which the list before is filtered. It is not `tenant`, which names the tenant of the sign-in,
 * nor `tenantId`, with which `roles/new` is the page of a role with this key.
 */
export const ofTenant = (tenantId: string | undefined): string =>
  tenantId === undefined ? '' : `?ofTenant=${tenantId}`

/** The tenant of what is added: at first that of the address, or else the own one. */
export const useChosenTenant = () => {
  const { me } = useConsole()
  const { query } = useLocation()
  const id = (me.admin && Number(query['ofTenant'])) || me.tenantId
  const isOwn = id === me.tenantId
  const name = isOwn ? me.tenantName : words.common.tenantNumber(id)
  const [tenant, setTenant] = useState<ChosenTenant>({ id, name, enabled: true })
  useEffect(() => {
    if (isOwn) return
    // Without a name there is still the number.
    request('GET /system/tenant/{id}', { path: { id } }).then(
      ({ name, enabled }) => setTenant((now) => (now.id === id ? { id, name, enabled } : now)),
      () => undefined,
    )
  }, [])
  return [tenant, setTenant] as const
}
