import type { Operations } from '../../../client/index.js'
import { base } from '../../shared/base.js'
import { SelectField } from '../../shared/form/select-field.js'
import { Form } from '../../shared/form/use-form.js'
import { say } from '../../shared/frame/status-line.js'
import { frame } from '../../shared/language/frame-words.js'
import { number } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { useTenantName } from '../list/tenant-filter.js'
import type { List } from '../list/use-list.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { addedBetween, filterNames, statuses, toQuery, type Filters } from './filters.js'
import type { UserRow } from '../values.js'

type Ticket = Operations['POST /system/user/export/ticket']

/** A download by the browser itself: of a million users, none is in the page. */
const download = (ticket: string): void => {
  const link = document.createElement('a')
  link.href = new URL(`system/user/export?${new URLSearchParams({ ticket }).toString()}`, base).href
  link.download = ''
  link.click()
}

/** The filters that are set, in the words of the list. */
const useInWords = (filters: Filters): string[] => {
  const { search, tenantId, role, userStatus, userType, hasSecondFactor, invited, hasSignedIn, created } = filters
  const tenant = useTenantName(tenantId)
  const between = addedBetween(filters)
  const { filter, periods } = words.list
  const named = (label: string, table: Record<string, string>, value: string | undefined) =>
    value === undefined ? [] : [filter(label, table[value] ?? value)]
  const factors = { true: words.users.withFactor, false: words.users.withoutFactor }
  return [
    ...(search === undefined ? [] : [filter(words.users.searchedFor, visible(search))]),
    ...(tenantId === undefined ? [] : [filter(words.common.tenant, visible(tenant))]),
    ...(role === undefined ? [] : [filter(words.users.role, visible(role))]),
    ...named(words.users.status, statuses(), userStatus),
    ...named(words.users.type, words.common.types, userType),
    ...named(words.users.secondFactor, factors, hasSecondFactor),
    ...named(words.users.invitation, { true: words.users.notCome, false: words.users.noneOpen }, invited),
    ...named(words.users.lastSignIn, { false: words.users.never }, hasSignedIn),
    ...(between === undefined ? named(words.users.created, periods, created) : [filter(words.users.created, between)]),
  ]
}

/** The body of the request: as the list asks, in numbers where the API has numbers. */
const toBody = (filters: Filters, { column, isDescending }: List<UserRow>['sort'], format: string): Ticket['body'] => {
  const { tenantId, userStatus, userType, ...texts }: Filters = toQuery(filters)
  const numbers = Object.entries({ tenantId, userStatus, userType }).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(numbers.map(([name, value]) => [name, Number(value)])),
    orderByColumn: column,
    isAsc: isDescending ? 'desc' : 'asc',
    format: format === 'xlsx' ? 'xlsx' : 'csv',
  }
}

interface ExportDialogProps {
  of: List<UserRow>
  total: number
  /** Whether some users are selected, which makes no difference here. */
  isSelected: boolean
  onClose: () => void
}

/** Asks for the kind of file, says what will be in it, and downloads it. */
export const ExportDialog = ({ of: { query, sort }, total, isSelected, onClose }: ExportDialogProps) => {
  const { may } = useConsole()
  const filters = Object.fromEntries(filterNames.map((name) => [name, query[name]]))
  const set = useInWords(filters)
  const start = async ({ format = 'csv' }: Record<string, string>) => {
    const { ticket } = await request('POST /system/user/export/ticket', { body: toBody(filters, sort, format) })
    download(ticket)
    say(words.users.exporting)
    onClose()
  }
  return (
    <Dialog title={words.users.exportTitle} onClose={onClose}>
      <div class="stack tight">
        <p>{words.users.exported(words.users.count(total, number(total)))}</p>
        <p class="muted">{set.length === 0 ? words.users.withoutFilter : set.join(' · ')}</p>
        {isSelected && <p>{words.users.notOnlySelected}</p>}
        <p>{may('system:user:contact') ? words.users.wholeContacts : words.users.maskedContacts}</p>
      </div>
      <Form
        submit={words.users.download}
        onSubmit={start}
        after={
          <button type="button" onClick={onClose}>
            {frame.cancel}
          </button>
        }
      >
        <SelectField
          name="format"
          label={words.users.format}
          hint={words.users.formatHint}
          value="csv"
          options={Object.entries(words.users.formats)}
        />
      </Form>
    </Dialog>
  )
}
