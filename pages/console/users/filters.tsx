import type { ListAddress } from '../list/address.js'
import { ChoiceFilter, Search } from '../list/filters.js'
import { startOf } from '../list/period.js'
import { TenantFilter } from '../list/tenant-filter.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { RoleFilter } from './role-filter.js'

export const filterNames = ['search', 'tenantId', 'role', 'userStatus', 'userType', 'hasSecondFactor', 'created']

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

/** By what the person can search. */
export const useSearchWords = () => {
  const { may } = useConsole()
  return may('system:user:contact') ? words.users.byContacts : words.users.byNames
}

/** Above the list: the search and the filters. */
export const UserFilters = ({ of: list }: { of: ListAddress }) => (
  <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
    <Search of={list} name="search" label={words.users.search} placeholder={useSearchWords().placeholder} />
    <TenantFilter of={list} />
    <RoleFilter of={list} />
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
