import { useState } from 'preact/hooks'
import { Name } from '../../shared/language/visible.js'
import type { ChosenTenant } from '../list/chosen-tenant.js'
import { TenantDialog } from '../list/tenant-dialog.js'
import { words } from '../words.js'

interface TenantFieldProps {
  tenant: ChosenTenant
  onChoose: (tenant: ChosenTenant) => void
}

/** The tenant of what is added; another one is searched. */
export const TenantField = ({ tenant, onChoose }: TenantFieldProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="field">
      <span class="label">{words.common.tenant}</span>
      <div class="line">
        <span class="what">
          <Name text={tenant.name} />
        </span>
        <button type="button" aria-label={words.users.changeTenant} onClick={() => setOpen(true)}>
          {words.users.change}
        </button>
      </div>
      {isOpen && (
        <TenantDialog
          onClose={() => setOpen(false)}
          onChoose={({ id, name, enabled }) => {
            setOpen(false)
            onChoose({ id, name, enabled })
          }}
        />
      )}
    </div>
  )
}
