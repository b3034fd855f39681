import { useState } from 'preact/hooks'
import { addressOf, useConsole } from '../../../pages/console/console.js'
import type { Brought } from '../../../pages/console/guests.js'
import { groups } from '../../../pages/console/roles/permissions.js'
import type { TabProps } from '../../../pages/console/user/user-page.js'
import { service } from '../../../pages/console/values.js'
import { ChoiceFilter, Search } from '../../../pages/console/list/filters.js'
import { Table, type Column } from '../../../pages/console/list/table.js'
import { TenantFilter } from '../../../pages/console/list/tenant-filter.js'
import { TitleCell } from '../../../pages/console/list/title-cell.js'
import { useList, type RowOf } from '../../../pages/console/list/use-list.js'
import { Notice } from '../../../pages/shared/frame/notice.js'
import { gap, number, type Language } from '../../../pages/shared/language/language.js'
import { Name, visible } from '../../../pages/shared/language/visible.js'
import { request } from '../../../pages/shared/session/entered.js'
import { useOutcome } from '../../../pages/shared/shell/outcome.js'
import { Page } from '../../../pages/shared/shell/shell.js'
import { useLoaded } from '../../../pages/shared/use-loaded.js'
import { rightsOf, type Right } from './rights.js'
import type { Wanted } from './token-form.js'
import { endDate, EndDialog, endText, lastUse } from './token-list.js'
import { TokensSection } from './tokens-section.js'
import { setWords, words } from './words.js'

type Row = RowOf<'GET /system/token/page'>
type End = (row: Row, button: HTMLElement) => void

const day = 24 * 3600 * 1000
const fromNow = (days: number): string => new Date(Date.now() + days * day).toISOString()

const columns = (mayView: boolean, onEnd: End | undefined): Column<Row>[] => [
  {
    heading: words.name,
    width: 'name',
    title: ({ name }) => visible(name),
    cell: (row) => (
      <>
        <Name text={row.name} />
        <span class="sub">
          <Name text={row.username} /> · {endText(row)}
        </span>
      </>
    ),
  },
  {
    heading: words.owner,
    width: 'name',
    hides: 700,
    title: ({ realName }) => visible(realName),
    cell: (row) => (
      <TitleCell name={row.realName} href={mayView ? addressOf(`users/${row.userId}`) : undefined}>
        <Name text={row.username} />
      </TitleCell>
    ),
  },
  { heading: words.expires, width: 'time', hides: 700, cell: (row) => endDate(row) ?? words.endless },
  { heading: words.lastUse, width: 'time', hides: 1024, cell: (row) => lastUse(row) ?? words.unused },
  {
    heading: <span class="sr">{words.end}</span>,
    width: 'end',
    cell: (row) =>
      onEnd && (
        <button aria-label={words.endOf(visible(row.name))} onClick={({ currentTarget }) => onEnd(row, currentTarget)}>
          {words.end}
        </button>
      ),
  },
]

/** The permissions of the service in words. */
const known = (): Record<string, string> =>
  Object.fromEntries(groups().flatMap(({ permissions }) => permissions.map(({ name, text }) => [name, text])))

/** The API tokens of all users. */
const Tokens = () => {
  const { may } = useConsole()
  const list = useList('GET /system/token/page', {
    sort: '-createTime',
    filters: ['keyword', 'tenantId', 'expires', 'unused'],
    toQuery: ({ expires, unused, ...query }) => ({
      ...query,
      ...(expires !== undefined && { expiresBefore: fromNow(30) }),
      ...(unused !== undefined && { unusedSince: fromNow(-90) }),
    }),
  })
  const outcome = useOutcome(JSON.stringify(list.query))
  const [asked, setAsked] = useState<{ row: Row; button: HTMLElement }>()
  const end: End = (row, button) => setAsked({ row, button })
  return (
    <Page title={words.title}>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search of={list} name="keyword" label={words.search} placeholder={words.owner} />
        <TenantFilter of={list} />
        <ChoiceFilter of={list} name="expires" label={words.expires} options={[['soon', words.soon]]} />
        <ChoiceFilter of={list} name="unused" label={words.lastUse} options={[['long', words.longUnused]]} />
      </form>
      {outcome.notice}
      <Table
        of={list}
        caption={words.caption}
        columns={columns(may('system:user:view'), may('system:token:remove') ? end : undefined)}
        keyOf={({ id }) => id}
        bar={(total) => words.count(total, number(total))}
        empty={{ title: words.none, hint: words.noneHint }}
      />
      {asked && (
        <EndDialog
          name={asked.row.name}
          onClose={() => setAsked(undefined)}
          onEnd={() => {
            const { row, button } = asked
            setAsked(undefined)
            outcome.remove(
              request('DELETE /system/user/{id}/tokens/{tokenId}', { path: { id: row.userId, tokenId: row.id } }),
              button,
              list.reload,
              words.ended(visible(row.name)),
            )
          }}
        />
      )}
    </Page>
  )
}

/** The tokens of one user, and for a service account the way to make one. */
const UserTokens = ({ user, outcome }: TabProps) => {
  const { may, mayChange } = useConsole()
  const path = { id: user.id }
  const isService = user.userType === service
  const isManaged = mayChange(user)
  const mayMake = isService && isManaged && may('system:token:add')
  const seesRoles = mayMake && may('system:role:list')
  const query = { tenantId: user.tenantId, pageSize: 100 }
  const roles = useLoaded(async () => (seesRoles ? request('GET /system/role/page', { query }) : { records: [] }))
  const held = (roles.data?.records ?? []).filter(({ key }) => user.roleKeys.includes(key))
  const granted = [...new Set(held.flatMap(({ permissions }) => permissions))]
  const rights = (): Right[] => rightsOf(granted, known())
  const lacksRights = held.length === user.roleKeys.length && granted.length === 0
  const make = (body: Wanted) => request('POST /system/user/{id}/tokens', { path, body })
  const end = (tokenId: string) => request('DELETE /system/user/{id}/tokens/{tokenId}', { path: { ...path, tokenId } })
  return (
    <TokensSection
      hint={isService ? words.hint : words.people}
      load={() => request('GET /system/user/{id}/tokens', { path })}
      make={mayMake && !lacksRights ? make : undefined}
      rights={rights}
      end={isManaged && may('system:token:remove') ? end : undefined}
      outcome={outcome}
    >
      {mayMake && lacksRights && (
        <Notice kind="warn" isQuiet>
          {user.roleKeys.length === 0 ? words.noRole : words.noRights}
          {gap}
          <a href={addressOf(`users/${user.id}`)}>{words.toProfile}</a>
        </Notice>
      )}
    </TokensSection>
  )
}

export const load = async (language: Language): Promise<Brought> => {
  setWords(language)
  return {
    rooms: [{ path: 'tokens', text: words.title, group: 'directory', needs: 'system:token:list', component: Tokens }],
    userTabs: [{ path: 'tokens', text: words.title, needs: 'system:token:list', component: UserTokens }],
    // Tokens are made on the page of their owner.
    permissions: {
      resource: words.title,
      words: words.permissions,
      needs: { 'system:token:add': ['system:user:view'] },
    },
    audit: { actions: words.audit, kinds: { token: words.kind } },
  }
}
