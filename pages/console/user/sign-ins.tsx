import { dateAndTime, logTime, number } from '../../shared/language/language.js'
import { deviceName } from '../../shared/language/device-name.js'
import { frame } from '../../shared/language/frame-words.js'
import { visible } from '../../shared/language/visible.js'
import { PeriodFilter, startOf } from '../list/period.js'
import { Table, type Column } from '../list/table.js'
import { useList, type RowOf } from '../list/use-list.js'
import { addressOf } from '../console.js'
import { words } from '../words.js'
import type { TabProps } from './user-page.js'

type Row = RowOf<'GET /system/login-log/page'>

const columns = (): Column<Row>[] => [
  {
    heading: words.user.time,
    width: 'time',
    look: 'num',
    sort: 'time',
    title: ({ time }) => dateAndTime(new Date(time)),
    cell: ({ time }) => logTime(new Date(time)),
  },
  {
    heading: words.user.device,
    title: ({ userAgent }) => visible(userAgent),
    cell: ({ userAgent, authType, address }) => (
      <>
        {deviceName(userAgent)}
        <span class="sub">
          {frame.methods(authType)} · {address}
        </span>
      </>
    ),
  },
  {
    heading: words.user.method,
    hides: 700,
    title: ({ authType }) => frame.methods(authType),
    cell: ({ authType }) => frame.methods(authType),
  },
  { heading: words.user.address, hides: 1024, title: ({ address }) => address, cell: ({ address }) => address },
]

/** The sign-ins of a user. A refusal names no account, so it is not here. */
export const SignIns = ({ user }: TabProps) => {
  const list = useList('GET /system/login-log/page', {
    sort: '-time',
    filters: ['period'],
    toQuery: ({ period }) => ({ userId: user.id, timeFrom: startOf(period) }),
  })
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <PeriodFilter of={list} />
      </form>
      <p class="muted">
        {words.user.refusals}{' '}
        <a href={addressOf(`sign-ins?${new URLSearchParams({ subject: user.username }).toString()}`)}>
          {words.user.toRefusals}
        </a>
      </p>
      <Table
        of={list}
        caption={words.user.signInsCaption}
        columns={columns()}
        keyOf={({ id }) => id}
        bar={(total) => words.user.signInCountOf(total, number(total))}
        empty={{ title: words.user.noSignIns, hint: words.user.noSignInsHint }}
      />
    </>
  )
}
