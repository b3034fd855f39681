import { useRef, useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { useFieldFault } from '../../shared/form/use-form.js'
import { Icon } from '../../shared/frame/icon.js'
import { Loading } from '../../shared/frame/loading.js'
import { request } from '../../shared/session/entered.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { useConsole } from '../console.js'
import { usePaused } from '../list/use-paused.js'
import { words } from '../words.js'
import { RoleName } from './role-name.js'

type Role = Pick<Operations['GET /system/role/page']['data']['records'][number], 'key' | 'name'>

/** Roles that are shown at a time; the others are searched. */
const shown = 10

interface RoleProps {
  role: Role
  isChosen: boolean
  onToggle: () => void
}

const RoleLine = ({ role, isChosen, onToggle }: RoleProps) => (
  <li>
    <label class="check">
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span class="what">
        <RoleName role={role} />
      </span>
    </label>
  </li>
)

interface RoleChoiceProps {
  /** Whose roles these are. For another one, give the component another `key`. */
  tenantId: number
  /** Role keys. */
  chosen: readonly string[]
  onChange: (keys: string[]) => void
}

/** The roles of a user, by check boxes; violations of `roleKeys` stand here. Without the permission to list roles, they can only be taken away. */
export const RoleChoice = ({ tenantId, chosen, onChange }: RoleChoiceProps) => {
  const { may } = useConsole()
  const mayList = may('system:role:list')
  const [text, setText] = useState('')
  const roleName = usePaused(text)
  const fault = useFieldFault('roleKeys').text
  // Roles that were chosen once stay in the list, so that the focus does, and the way back.
  const kept = useRef(new Map<string, Role>())
  for (const key of chosen) if (!kept.current.has(key)) kept.current.set(key, { key, name: key })
  const query = { tenantId, pageNum: 1, pageSize: shown, orderByColumn: 'name', ...(roleName !== '' && { roleName }) }
  const roles = useLoaded(
    async () => (mayList ? request('GET /system/role/page', { query }) : { records: [], total: 0 }),
    [tenantId, roleName],
  )

  const line = (role: Role) => (
    <RoleLine
      key={role.key}
      role={role}
      isChosen={chosen.includes(role.key)}
      onToggle={() => {
        kept.current.set(role.key, role)
        onChange(chosen.includes(role.key) ? chosen.filter((key) => key !== role.key) : [...chosen, role.key])
      }}
    />
  )

  if (!mayList && kept.current.size === 0) return null
  return (
    <fieldset class="stack tight" name="roleKeys" aria-describedby={fault === undefined ? undefined : 'roleKeys-fault'}>
      <legend class="label">{words.roleChoice.roles}</legend>
      {mayList && (
        <div class="search">
          <Icon name="search" />
          <input
            type="search"
            name="roleSearch"
            aria-label={words.roleChoice.search}
            aria-invalid={fault === undefined ? undefined : true}
            aria-describedby={fault === undefined ? undefined : 'roleKeys-fault'}
            placeholder={words.roleChoice.search}
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              // It belongs to a form, and searching is not sending.
              if (event.key === 'Enter') event.preventDefault()
            }}
          />
        </div>
      )}
      {fault !== undefined && (
        <p class="error" id="roleKeys-fault">
          <Icon name="alert" /> <span>{fault}</span>
        </p>
      )}
      <Loading of={roles}>
        {({ records, total }) => {
          const found = new Set(records.map(({ key }) => key))
          const others = [...kept.current.values()].filter(({ key }) => !found.has(key))
          return (
            <>
              <ul class="stack tight">
                {others.map(line)}
                {records.map(line)}
              </ul>
              {mayList && records.length === 0 && <p class="hint">{words.roleChoice.none}</p>}
              {total > records.length && <p class="hint">{words.roleChoice.more(total - records.length)}</p>}
            </>
          )
        }}
      </Loading>
    </fieldset>
  )
}
