import { useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { Loading } from '../../shared/frame/loading.js'
import { Name } from '../../shared/language/visible.js'
import { frame } from '../../shared/language/frame-words.js'
import { request } from '../../shared/session/entered.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { words } from '../words.js'
import { usePaused } from './use-paused.js'

type Tenant = Operations['GET /system/tenant/page']['data']['records'][number]

interface TenantDialogProps {
  onChoose: (tenant: Tenant) => void
  onClose: () => void
}

/** A search for a tenant by name. */
export const TenantDialog = ({ onChoose, onClose }: TenantDialogProps) => {
  const [text, setText] = useState('')
  const name = usePaused(text)
  const query = { pageNum: 1, pageSize: 10, orderByColumn: 'name', ...(name !== '' && { name }) }
  const tenants = useLoaded(() => request('GET /system/tenant/page', { query }), [name])
  return (
    <Dialog title={words.common.chooseTenant} onClose={onClose}>
      <input
        type="search"
        data-first={true}
        aria-label={words.common.searchTenants}
        placeholder={words.common.searchTenants}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Loading of={tenants}>
        {({ records }) => (
          <ul class="stack tight">
            {records.length === 0 && <li class="muted">{words.common.noTenant}</li>}
            {records.map((tenant) => (
              <li key={tenant.id}>
                <button type="button" class="quiet" onClick={() => onChoose(tenant)}>
                  <Name text={tenant.name} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {frame.cancel}
        </button>
      </div>
    </Dialog>
  )
}
