import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { frame } from '../../shared/language/frame-words.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { carryOutcome } from '../../shared/shell/outcome.js'
import { Page } from '../../shared/shell/shell.js'
import { useConsole } from '../console.js'
import { backTo } from '../list/address.js'
import { useChosenTenant } from '../list/chosen-tenant.js'
import { TenantDialog } from '../list/tenant-dialog.js'
import { useLacksFactor } from '../own-factor.js'
import { words } from '../words.js'
import { roleAddress } from './address.js'
import { changesOf } from './changes.js'
import { RoleForm, type Draft } from './role-form.js'
import { useRoleRights, type Role } from './rights.js'

interface TenantLineProps {
  /** A name, or the number of the tenant. */
  name: string
  onChange: () => void
}

const TenantLine = ({ name, onChange }: TenantLineProps) => (
  <div class="field">
    <span class="label">{words.common.tenant}</span>
    <div class="line">
      <Name text={name} />
      <button type="button" onClick={onChange}>
        {words.roles.otherTenant}
      </button>
    </div>
  </div>
)

/** Adds a role. */
export const NewRole = () => {
  const { me } = useConsole()
  const lacksFactor = useLacksFactor(useRoleRights().mayRequireFactor)
  const { route } = useLocation()
  const [tenant, setTenant] = useChosenTenant()
  const [isChoosing, setChoosing] = useState(false)
  // A second factor is asked for by a request of its own. When that fails, the role is there, and the form changes it.
  const [added, setAdded] = useState<Role>()
  const add = async (draft: Draft) => {
    const { key, name, permissions } = draft
    const role =
      added ?? (await request('POST /system/role', { body: { key, name, permissions, tenantId: tenant.id } }))
    setAdded(role)
    if (added || draft.secondFactorRequired)
      await request('PATCH /system/role/{key}', {
        path: { key: role.key },
        query: { tenantId: role.tenantId },
        body: changesOf(role, draft),
      })
    carryOutcome(words.roles.added(visible(name)))
    route(roleAddress(role))
  }
  return (
    <Page title={words.roles.add} above={{ href: backTo('roles'), text: words.roles.title }}>
      <div class="narrow">
        <RoleForm
          role={added}
          lacksFactor={lacksFactor}
          submit={words.roles.add}
          onSubmit={add}
          after={() => (
            <a class="button quiet" href={backTo('roles')}>
              {frame.cancel}
            </a>
          )}
        >
          {me.admin && !added && <TenantLine name={tenant.name} onChange={() => setChoosing(true)} />}
        </RoleForm>
      </div>
      {isChoosing && (
        <TenantDialog
          onClose={() => setChoosing(false)}
          onChoose={(chosen) => {
            setChoosing(false)
            setTenant(chosen)
          }}
        />
      )}
    </Page>
  )
}
