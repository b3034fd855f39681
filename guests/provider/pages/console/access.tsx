import { useState } from 'preact/hooks'
import { TenantDialog } from '../../../../pages/console/list/tenant-dialog.js'
import { useTenantName } from '../../../../pages/console/list/tenant-filter.js'
import { visible } from '../../../../pages/shared/language/visible.js'
import { words } from './words.js'

const TenantLine = ({ id, onRemove }: { id: number; onRemove: () => void }) => {
  const name = visible(useTenantName(String(id)))
  return (
    <li>
      <div class="what">
        <p>{name}</p>
      </div>
      <button type="button" aria-label={words.removeTenant(name)} onClick={onRemove}>
        ×
      </button>
    </li>
  )
}

interface TenantsProps {
  /** The name of the tenant of the application. */
  own: string
  chosen: readonly number[]
  onChange: (ids: number[]) => void
}

/** The tenants whose people may use an application; none means its own. */
export const AccessTenants = ({ own, chosen, onChange }: TenantsProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="field">
      <span class="label">{words.tenants}</span>
      {chosen.length === 0 ? (
        <p class="muted">{words.ownTenant(visible(own))}</p>
      ) : (
        <ul class="items">
          {chosen.map((id) => (
            <TenantLine key={id} id={id} onRemove={() => onChange(chosen.filter((one) => one !== id))} />
          ))}
        </ul>
      )}
      <div>
        <button type="button" onClick={() => setOpen(true)}>
          {words.addTenant}
        </button>
      </div>
      {isOpen && (
        <TenantDialog
          onClose={() => setOpen(false)}
          onChoose={({ id }) => {
            setOpen(false)
            onChange([...new Set([...chosen, id])])
          }}
        />
      )}
    </div>
  )
}
