import { useLocation } from 'preact-iso/router'
import { useEffect, useRef, useState } from 'preact/hooks'
import { number } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { Page } from '../../shared/shell/shell.js'
import { addressOf, useConsole } from '../console.js'
import { ofTenant } from '../list/chosen-tenant.js'
import { Table, type Column } from '../list/table.js'
import { useList } from '../list/use-list.js'
import { usePlace } from '../list/use-place.js'
import { words } from '../words.js'
import { OutcomeLine, Selected } from './bar.js'
import { userColumns } from './columns.js'
import { later } from '../later.js'
import { ManyDialog, type Asked } from './many-dialog.js'
import { filterNames, toQuery, UserFilters, useSearchWords } from './filters.js'
import { RoleDialog } from './role-filter.js'
import { RefusedNotice } from './refused-notice.js'
import { RowMenu } from './row-menu.js'
import type { Action } from './done-text.js'
import { useActions } from './use-actions.js'
import { useSelection, type Selection } from './use-selection.js'
import type { UserRow } from '../values.js'

const ExportDialog = later(async () => (await import('./export-dialog.js')).ExportDialog)

const pickColumn = ({ pickable, here, pick, pickAll }: Selection): Column<UserRow> => ({
  heading: (
    <label>
      <input
        type="checkbox"
        aria-label={words.users.selectAll}
        checked={here.length > 0 && here.length === pickable.length}
        indeterminate={here.length > 0 && here.length < pickable.length}
        disabled={pickable.length === 0}
        onChange={({ currentTarget }) => pickAll(currentTarget.checked)}
      />
    </label>
  ),
  width: 'pick',
  cell: (user) =>
    pickable.includes(user) && (
      <label>
        <input
          type="checkbox"
          aria-label={words.users.select(visible(user.username))}
          checked={here.includes(user)}
          onChange={({ currentTarget }) => pick(user, currentTarget.checked)}
        />
      </label>
    ),
})

/** The tenant of all of them; undefined where they have several. */
const tenantOf = (rows: readonly UserRow[]): string | undefined => {
  const ids = new Set(rows.map(({ tenantId }) => tenantId))
  return ids.size === 1 ? [...ids].join() : undefined
}

/** Digits that are no whole phone number: only the names that have them are found. */
const partOfPhone = /^\+?[\d -]{3,9}$/

/** The users: searched, filtered, and what can be done with them. */
export const Users = () => {
  const { me, may, mayChange } = useConsole()
  const { route } = useLocation()
  const list = useList('GET /system/user/page', {
    sort: '-lastLoginTime',
    filters: filterNames,
    toQuery: (filters) => ({ ...toQuery(filters), ...(may('system:user:contact') && { contacts: 'true' }) }),
  })
  usePlace('users', list)
  const searchWords = useSearchWords()
  const selection = useSelection(list, mayChange, me.userId)
  const [isExporting, setExporting] = useState(false)
  const [asked, setAsked] = useState<{ action: Asked; picked: readonly UserRow[] }>()
  const [receivers, setReceivers] = useState<readonly UserRow[]>()
  const actions = useActions(() => {
    selection.clear()
    setAsked(undefined)
    list.reload()
  })
  const query = JSON.stringify(list.query)
  const last = useRef(query)
  useEffect(() => {
    // Not at first: there may be something of the page before.
    if (last.current !== query) actions.forget()
    last.current = query
  }, [query])

  const act = (action: Action, rows: readonly UserRow[]) => {
    if (action === 'addRole') {
      actions.forget()
      if (tenantOf(rows) === undefined) actions.refuse(words.users.severalTenants)
      else setReceivers(rows)
      return
    }
    if (action !== 'delete' && (action !== 'invite' || rows.length === 1)) return void actions.act(action, rows)
    actions.forget()
    setAsked({ action, picked: rows })
  }
  const add = may('system:user:add') && (
    <button class="primary" onClick={() => route(addressOf('users/new') + ofTenant(list.query['tenantId']))}>
      {words.users.add}
    </button>
  )
  const importLink = may('system:user:add') && (
    <a class="button" href={addressOf('users/import')}>
      {words.users.import}
    </a>
  )
  const columns: Column<UserRow>[] = [
    ...(may('system:user:edit') ? [pickColumn(selection)] : []),
    ...userColumns(may),
    {
      heading: <span class="sr">{words.users.actions}</span>,
      width: 'menu',
      cell: (user) => <RowMenu user={user} isManaged={mayChange(user)} onAct={(action) => act(action, [user])} />,
    },
  ]
  const isEmpty = (list.data?.total ?? 0) === 0
  const outcome = actions.outcome && <OutcomeLine outcome={actions.outcome} actions={actions} rows={list.data} />

  const actionsOfPage = (
    <>
      {!isEmpty && <button onClick={() => setExporting(true)}>{words.users.export}</button>}
      {importLink}
      {add}
    </>
  )

  return (
    <Page title={words.users.title} actions={actionsOfPage}>
      <UserFilters of={list} />
      {!isEmpty && may('system:user:contact') && partOfPhone.test(list.query['search'] ?? '') && (
        <p class="hint">{words.users.onlyWhole}</p>
      )}
      {actions.refused && !asked && <RefusedNotice refused={actions.refused} />}
      {(isEmpty || list.fault) && outcome && <div class="bar">{outcome}</div>}
      <Table
        of={list}
        class="users"
        caption={words.users.title}
        columns={columns}
        keyOf={({ id }) => id}
        isPicked={(user) => selection.here.includes(user)}
        bar={(total) =>
          selection.rows.length > 0 ? (
            <Selected
              selection={selection}
              total={total}
              pageRows={list.data?.records.length ?? 0}
              onAll={() => void selection.pickMatching().catch(actions.fail)}
              onAct={act}
            />
          ) : (
            (outcome ?? words.users.count(total, number(total)))
          )
        }
        {...(list.query['search'] !== undefined && { nothingHint: searchWords.nothing })}
        empty={{ title: words.users.none, hint: words.users.noneHint, actions: [add, importLink] }}
      />
      {isExporting && list.data && (
        <ExportDialog
          of={list}
          total={list.data.total}
          isSelected={selection.rows.length > 0}
          onClose={() => setExporting(false)}
        />
      )}
      {receivers && (
        <RoleDialog
          title={words.users.giveRole}
          tenantId={tenantOf(receivers)}
          onChoose={(role) => {
            setReceivers(undefined)
            void actions.act('addRole', receivers, { role })
          }}
          onClose={() => setReceivers(undefined)}
        />
      )}
      {asked && (
        <ManyDialog
          {...asked}
          actions={actions}
          onClose={() => {
            actions.forget()
            setAsked(undefined)
          }}
        />
      )}
    </Page>
  )
}
