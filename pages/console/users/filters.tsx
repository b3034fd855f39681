import { span } from '../../shared/language/language.js'
import type { ListAddress } from '../list/address.js'
import { ChoiceFilter, Search, SetFilter } from '../list/filters.js'
import { startOf } from '../list/period.js'
import { TenantFilter } from '../list/tenant-filter.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { RoleFilter } from './role-filter.js'

export const filterNames = [
  'search',
  'tenantId',
  'role',
  'userStatus',
  'userType',
  'hasSecondFactor',
  'invited',
  'hasSignedIn',
  'created',
  'createTimeFrom',
  'createTimeTo',
]

export type Filters = Record<string, string | undefined>

/** The filters of the address, as the API has them. */
export const toQuery = ({ created, ...filters }: Filters): Filters => ({
  ...filters,
  createTimeFrom: filters['createTimeFrom'] ?? startOf(created),
})

/** The times between which users were added, if the address has them: an import leads to such a list. */
export const addedBetween = ({ createTimeFrom = '', createTimeTo = '' }: Filters): string | undefined => {
  const [from, to] = [new Date(createTimeFrom), new Date(createTimeTo)]
  return Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) ? undefined : span(from, to)
}

/** By when users were added: in a period until now, or between two times. */
const CreatedFilter = ({ of: list }: { of: ListAddress }) => {
  const between = addedBetween(list.query)
  if (between === undefined)
    return (
      <ChoiceFilter of={list} name="created" label={words.users.created} options={Object.entries(words.list.periods)} />
    )
  return (
    <SetFilter
      label={words.users.created}
      onRemove={() => list.change({ createTimeFrom: undefined, createTimeTo: undefined })}
    >
      {words.list.filter(words.users.created, between)}
    </SetFilter>
  )
}

const factors = () =>
  [
    ['true', words.users.withFactor],
    ['false', words.users.withoutFactor],
  ] as const

const invitations = () =>
  [
    ['true', words.users.notCome],
    ['false', words.users.noneOpen],
  ] as const

/** The badge of somebody with the status "normal" may be that of an invitation or a ban. */
export const statuses = () => ({ ...words.common.statuses, 1: words.users.normal })

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
    <ChoiceFilter of={list} name="userStatus" label={words.users.status} options={Object.entries(statuses())} />
    <ChoiceFilter of={list} name="hasSecondFactor" label={words.users.secondFactor} options={factors()} />
    <ChoiceFilter of={list} name="invited" label={words.users.invitation} options={invitations()} />
    <ChoiceFilter
      of={list}
      name="hasSignedIn"
      label={words.users.lastSignIn}
      options={[['false', words.users.never]]}
    />
    <ChoiceFilter of={list} name="userType" label={words.users.type} options={Object.entries(words.common.types)} />
    <CreatedFilter of={list} />
  </form>
)
