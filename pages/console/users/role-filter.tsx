import { useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { Icon } from '../../shared/frame/icon.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { useConsole } from '../console.js'
import type { ListAddress } from '../list/address.js'
import { SetFilter } from '../list/filters.js'
import { SearchDialog } from '../list/search-dialog.js'
import { words } from '../words.js'
import { RoleName } from './role-name.js'

export type Role = Operations['GET /system/role/page']['data']['records'][number]

/** Roles that are shown at a time; the others are searched. */
const shown = 10

/** Tenants may have roles of the same key: the filter finds the users of all of them. */
const withoutSameKeys = (roles: readonly Role[]): Role[] => [
  ...new Map(roles.toReversed().map((role) => [role.key, role])).values(),
]

const finder = (tenantId: string | undefined) => async (roleName: string) => {
  const query = {
    ...{ pageNum: 1, pageSize: 100, orderByColumn: 'name' },
    ...(tenantId !== undefined && { tenantId: Number(tenantId) }),
    ...(roleName !== '' && { roleName }),
  }
  const { records } = await request('GET /system/role/page', { query })
  return withoutSameKeys(records).toReversed().slice(0, shown)
}

interface RoleDialogProps {
  title: string
  /** Whose roles; absent means those of all tenants. */
  tenantId: string | undefined
  onChoose: (role: Role) => void
  onClose: () => void
}

/** Asks for one role. */
export const RoleDialog = ({ tenantId, ...props }: RoleDialogProps) => (
  <SearchDialog
    label={words.roleChoice.search}
    none={words.roleChoice.none}
    find={finder(tenantId)}
    keyOf={({ key }) => key}
    line={(role) => <RoleName role={role} />}
    {...props}
  />
)

/** A filter by role. Who may not see the roles can still take it away. */
export const RoleFilter = ({ of: { query, change } }: { of: ListAddress }) => {
  const [isOpen, setOpen] = useState(false)
  const { may } = useConsole()
  const { role, tenantId } = query
  if (role !== undefined)
    return (
      <SetFilter label={words.users.role} onRemove={() => change({ role: undefined })}>
        <span>{words.list.filter(words.users.role, visible(role))}</span>
      </SetFilter>
    )
  if (!may('system:role:list')) return null
  return (
    <>
      <button type="button" class="chip" onClick={() => setOpen(true)}>
        {words.users.role} <Icon name="down" />
      </button>
      {isOpen && (
        <RoleDialog
          title={words.users.chooseRole}
          tenantId={tenantId}
          onChoose={({ key }) => {
            setOpen(false)
            change({ role: key })
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
