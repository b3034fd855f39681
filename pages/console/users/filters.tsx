import type { ListAddress } from '../list/address.js'
import { ChoiceFilter, Search } from '../list/filters.js'
import { startOf } from '../list/period.js'
import { TenantFilter } from '../list/tenant-filter.js'
import { words } from '../words.js'

export const filterNames = ['keyword', 'tenantId', 'userStatus', 'userType', 'hasSecondFactor', 'created']

export type Filters = Record<string, string | undefined>

/** The filters of the address, as the API has them. */
export const toQuery = ({ created, ...filters }: Filters): Filters => ({
  ...filters,
  createTimeFrom: startOf(created),
})

const factors = () =>
  [
    ['true', words.users.withFactor],
    ['false', words.users.withoutFactor],
  ] as const

/** Above the list: the search and the filters. */
export const UserFilters = ({ of: list }: { of: ListAddress }) => (
  <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
    <Search of={list} name="keyword" label={words.users.search} placeholder={words.users.searchHint} />
    <TenantFilter of={list} />
    <ChoiceFilter
      of={list}
      name="userStatus"
      label={words.users.status}
      options={Object.entries(words.common.statuses)}
    />
    <ChoiceFilter of={list} name="hasSecondFactor" label={words.users.secondFactor} options={factors()} />
    <ChoiceFilter of={list} name="userType" label={words.users.type} options={Object.entries(words.common.types)} />
    <ChoiceFilter of={list} name="created" label={words.users.created} options={Object.entries(words.list.periods)} />
  </form>
)
