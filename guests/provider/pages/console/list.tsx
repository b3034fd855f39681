import { useConsole } from '../../../../pages/console/console.js'
import { ofTenant } from '../../../../pages/console/list/chosen-tenant.js'
import { Search } from '../../../../pages/console/list/filters.js'
import { Table, type Column } from '../../../../pages/console/list/table.js'
import { TenantFilter } from '../../../../pages/console/list/tenant-filter.js'
import { TitleCell } from '../../../../pages/console/list/title-cell.js'
import { useList, type RowOf } from '../../../../pages/console/list/use-list.js'
import { usePlace } from '../../../../pages/console/list/use-place.js'
import { number, shortTime } from '../../../../pages/shared/language/language.js'
import { Name, visible } from '../../../../pages/shared/language/visible.js'
import { useOutcome } from '../../../../pages/shared/shell/outcome.js'
import { Page } from '../../../../pages/shared/shell/shell.js'
import { applicationAddress, useApplicationRights } from './values.js'
import { words } from './words.js'

type Row = RowOf<'GET /system/client/page'>

const columns = (showsTenant: boolean): Column<Row>[] => [
  {
    heading: words.name,
    sort: 'name',
    title: ({ name }) => visible(name),
    cell: ({ id, name, tenantName }) => (
      <TitleCell name={name} href={applicationAddress(id)}>
        <span class="mono">{visible(id)}</span>
        {showsTenant && ` · ${visible(tenantName)}`}
      </TitleCell>
    ),
  },
  {
    heading: words.id,
    hides: 700,
    sort: 'id',
    title: ({ id }) => id,
    cell: ({ id }) => (
      <span class="mono">
        <Name text={id} />
      </span>
    ),
  },
  { heading: words.type, hides: 1024, cell: ({ type }) => words.types[type] ?? type },
  {
    heading: words.lastError,
    width: 'time',
    hides: 700,
    title: ({ lastError }) => lastError?.message ?? '',
    cell: ({ lastError }) =>
      lastError ? shortTime(new Date(lastError.time)) : <span class="muted">{words.noError}</span>,
  },
]

/** The applications of the tenant, or of all tenants. */
export const Applications = () => {
  const { me } = useConsole()
  const { mayAdd } = useApplicationRights()
  const outcome = useOutcome()
  const list = useList('GET /system/client/page', { sort: 'name', filters: ['keyword', 'tenantId'] })
  usePlace('applications', list)
  const add = mayAdd && (
    <a class="button primary" href={applicationAddress('new') + ofTenant(list.query['tenantId'])}>
      {words.add}
    </a>
  )
  return (
    <Page title={words.title} actions={add}>
      {outcome.notice}
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search of={list} name="keyword" label={words.search} placeholder={words.name} />
        <TenantFilter of={list} />
      </form>
      <Table
        of={list}
        caption={words.caption}
        columns={columns(me.admin && list.query['tenantId'] === undefined)}
        keyOf={({ id }) => id}
        bar={(total) => words.count(total, number(total))}
        empty={{ title: words.none, hint: words.noneHint, actions: add }}
      />
    </Page>
  )
}
