import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../shared/frame/icon.js'
import { request } from '../../shared/session/entered.js'
import { visible } from '../../shared/language/visible.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import type { ListAddress } from './address.js'
import { SetFilter } from './filters.js'
import { TenantDialog } from './tenant-dialog.js'

/** The name of a tenant, or its number while and where there is no name. */
export const useTenantName = (id: string | undefined): string => {
  const [name, setName] = useState<string>()
  useEffect(() => {
    setName(undefined)
    if (id === undefined) return
    // Without a name there is still the number.
    request('GET /system/tenant/{id}', { path: { id: Number(id) } }).then(
      (tenant) => setName(tenant.name),
      () => undefined,
    )
  }, [id])
  return name ?? words.common.tenantNumber(Number(id))
}

const Chosen = ({ id, onRemove }: { id: string; onRemove: () => void }) => (
  <SetFilter label={words.common.tenant} onRemove={onRemove}>
    <span>{words.list.filter(words.common.tenant, visible(useTenantName(id)))}</span>
  </SetFilter>
)

/** A filter by tenant, for those who may see more than their own. Tenants are searched: there may be thousands. */
export const TenantFilter = ({ of: { query, change } }: { of: ListAddress }) => {
  const [isOpen, setOpen] = useState(false)
  const { me } = useConsole()
  if (!me.admin) return null
  const id = query['tenantId']
  return (
    <>
      {id === undefined ? (
        <button type="button" class="chip" onClick={() => setOpen(true)}>
          {words.common.tenant} <Icon name="down" />
        </button>
      ) : (
        <Chosen id={id} onRemove={() => change({ tenantId: undefined })} />
      )}
      {isOpen && (
        <TenantDialog
          onClose={() => setOpen(false)}
          onChoose={(tenant) => {
            setOpen(false)
            change({ tenantId: String(tenant.id) })
          }}
        />
      )}
    </>
  )
}
