import { TitleCell } from '../list/title-cell.js'
import { Name, visible } from '../../shared/language/visible.js'
import { ago, dateAndTime, number } from '../../shared/language/language.js'
import { deviceName } from '../../shared/language/device-name.js'
import { request } from '../../shared/session/entered.js'
import { useOutcome } from '../../shared/shell/outcome.js'
import { Page } from '../../shared/shell/shell.js'
import { addressOf, useConsole } from '../console.js'
import { Search, SetFilter } from '../list/filters.js'
import { Table, type Column } from '../list/table.js'
import { TenantFilter } from '../list/tenant-filter.js'
import { useList, type RowOf } from '../list/use-list.js'
import { words } from '../words.js'

type Row = RowOf<'GET /system/session/page'>

const active = (row: Row): string => ago(new Date(row.lastActiveTime))

type End = (row: Row, button: HTMLElement) => void

const columns = (mayView: boolean, onEnd: End | undefined): Column<Row>[] => [
  {
    heading: words.sessions.who,
    width: 'name',
    title: ({ realName }) => visible(realName),
    cell: (row) => (
      <TitleCell name={row.realName} href={mayView ? addressOf(`users/${row.userId}`) : undefined}>
        <Name text={row.username} /> · {deviceName(row.userAgent)} · {active(row)}
      </TitleCell>
    ),
  },
  {
    heading: words.sessions.username,
    width: 'mid',
    hides: 700,
    title: ({ username }) => visible(username),
    cell: ({ username }) => <Name text={username} />,
  },
  {
    heading: words.sessions.device,
    width: 'name',
    hides: 700,
    title: ({ userAgent }) => visible(userAgent),
    cell: ({ userAgent }) => deviceName(userAgent),
  },
  {
    heading: words.sessions.address,
    width: 'mid',
    hides: 1024,
    title: ({ loginIp }) => loginIp,
    cell: ({ loginIp }) => loginIp,
  },
  {
    heading: words.sessions.signedIn,
    width: 'time',
    hides: 1024,
    look: 'num',
    sort: 'loginTime',
    cell: ({ loginTime }) => dateAndTime(new Date(loginTime)),
  },
  {
    heading: words.sessions.active,
    width: 'mid',
    hides: 700,
    sort: 'lastActiveTime',
    title: ({ lastActiveTime }) => dateAndTime(new Date(lastActiveTime)),
    cell: active,
  },
  {
    heading: <span class="sr">{words.sessions.end}</span>,
    width: 'end',
    cell: (row) =>
      row.current ? (
        <span class="badge good">{words.sessions.yours}</span>
      ) : (
        onEnd && (
          <button
            aria-label={words.sessions.endOf(visible(row.username), deviceName(row.userAgent))}
            onClick={({ currentTarget }) => onEnd(row, currentTarget)}
          >
            {words.sessions.end}
          </button>
        )
      ),
  },
]

/** The live sessions of all users. */
export const Sessions = () => {
  const { may } = useConsole()
  const list = useList('GET /system/session/page', { sort: '-loginTime', filters: ['username', 'tenantId', 'loginIp'] })
  const outcome = useOutcome(JSON.stringify(list.query))
  const end: End = ({ id, username }, button) =>
    outcome.remove(
      request('DELETE /system/session/{id}', { path: { id } }),
      button,
      list.reload,
      words.sessions.ended(visible(username)),
    )
  const { loginIp } = list.query
  return (
    <Page title={words.sessions.title}>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search of={list} name="username" label={words.sessions.search} placeholder={words.sessions.username} />
        <TenantFilter of={list} />
        {loginIp !== undefined && (
          <SetFilter label={words.sessions.address} onRemove={() => list.change({ loginIp: undefined })}>
            {words.list.filter(words.sessions.address, visible(loginIp))}
          </SetFilter>
        )}
      </form>
      {outcome.notice}
      <Table
        of={list}
        caption={words.sessions.caption}
        columns={columns(may('system:user:view'), may('system:session:delete') ? end : undefined)}
        keyOf={({ id }) => id}
        bar={(total) => words.sessions.count(number(total))}
        empty={{ title: words.sessions.none, hint: words.sessions.noneHint }}
      />
    </Page>
  )
}
