import { TitleCell } from '../list/title-cell.js'
import { dateAndTime, number, shortTime } from '../../shared/language/language.js'
import { Name, visible } from '../../shared/language/visible.js'
import { useOutcome } from '../../shared/shell/outcome.js'
import { Page } from '../../shared/shell/shell.js'
import { addressOf, useConsole } from '../console.js'
import { Search } from '../list/filters.js'
import { Table, type Column } from '../list/table.js'
import { ofTenant } from '../list/chosen-tenant.js'
import { TenantFilter } from '../list/tenant-filter.js'
import { useList } from '../list/use-list.js'
import { usePlace } from '../list/use-place.js'
import { words } from '../words.js'
import { roleAddress } from './address.js'
import { useRoleRights, type Role } from './rights.js'

const columns = (showsTenant: boolean): Column<Role>[] => [
  {
    heading: words.roles.name,
    sort: 'name',
    title: ({ name }) => visible(name),
    cell: (role) => (
      <TitleCell name={role.name} href={roleAddress(role)}>
        <span class="mono">{visible(role.key)}</span>
        {showsTenant && ` · ${visible(role.tenantName)}`}
      </TitleCell>
    ),
  },
  {
    heading: words.roles.key,
    hides: 700,
    sort: 'key',
    title: ({ key }) => visible(key),
    cell: ({ key }) => (
      <span class="mono">
        <Name text={key} />
      </span>
    ),
  },
  ...(showsTenant
    ? [
        {
          heading: words.common.tenant,
          width: 'mid' as const,
          hides: 1024 as const,
          sort: 'tenantId',
          title: ({ tenantName }: Role) => visible(tenantName),
          cell: ({ tenantName }: Role) => <Name text={tenantName} />,
        },
      ]
    : []),
  {
    heading: words.roles.grants,
    width: 'tiny',
    look: 'num',
    cell: ({ permissions }) => number(permissions.length),
  },
  {
    heading: words.roles.factor,
    width: 'mid',
    hides: 700,
    cell: ({ secondFactorRequired }) =>
      secondFactorRequired ? words.roles.required : <span class="muted">{words.roles.notRequired}</span>,
  },
  {
    heading: words.roles.created,
    width: 'tiny',
    hides: 1024,
    look: 'num',
    sort: 'createTime',
    title: ({ createTime }) => dateAndTime(new Date(createTime)),
    cell: ({ createTime }) => shortTime(new Date(createTime)),
  },
]

/** The roles of the tenant, or of all tenants. */
export const Roles = () => {
  const { me } = useConsole()
  const { mayAdd } = useRoleRights()
  const outcome = useOutcome()
  const list = useList('GET /system/role/page', { sort: 'name', filters: ['roleName', 'roleKey', 'tenantId'] })
  usePlace('roles', list)
  const { by, tenantId, roleName, roleKey } = list.query
  const isByKey = by === 'key' || roleKey !== undefined
  const add = mayAdd && (
    <a class="button primary" href={addressOf('roles/new') + ofTenant(tenantId)}>
      {words.roles.add}
    </a>
  )
  /** The text goes on as the other filter. */
  const searchBy = (next: string) =>
    list.change(
      next === 'key'
        ? { by: next, roleName: undefined, roleKey: roleKey ?? roleName }
        : { by: undefined, roleKey: undefined, roleName: roleName ?? roleKey },
      true,
    )
  return (
    <Page title={words.roles.title} actions={add}>
      {outcome.notice}
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search
          of={list}
          name={isByKey ? 'roleKey' : 'roleName'}
          label={isByKey ? words.roles.searchByKey : words.roles.searchByName}
          placeholder={isByKey ? words.roles.key : words.roles.name}
        />
        <select
          class="chip"
          aria-label={words.roles.searchIn}
          onChange={({ currentTarget }) => searchBy(currentTarget.value)}
        >
          {(['name', 'key'] as const).map((field) => (
            <option value={field} selected={isByKey === (field === 'key')} key={field}>
              {words.roles.searchBy[field]}
            </option>
          ))}
        </select>
        <TenantFilter of={list} />
      </form>
      <Table
        of={list}
        caption={words.roles.title}
        columns={columns(me.admin && tenantId === undefined)}
        keyOf={({ id }) => id}
        bar={(total) => words.roles.count(total, number(total))}
        empty={{ title: words.roles.none, hint: words.roles.noneHint, actions: add }}
      />
    </Page>
  )
}
