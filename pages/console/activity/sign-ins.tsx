import { Name, visible } from '../../shared/language/visible.js'
import { dateAndTime, logTime, number } from '../../shared/language/language.js'
import { deviceName } from '../../shared/language/device-name.js'
import { frame } from '../../shared/language/frame-words.js'
import { Page } from '../../shared/shell/shell.js'
import { ChoiceFilter, Search } from '../list/filters.js'
import { Table, type Column } from '../list/table.js'
import { TenantFilter } from '../list/tenant-filter.js'
import { useList, type RowOf } from '../list/use-list.js'
import { words } from '../words.js'
import { PeriodFilter, startOf } from '../list/period.js'

type Row = RowOf<'GET /system/login-log/page'>

/** The sign-in goes on with a second step: that is no refusal. */
const goesOn: readonly (string | null)[] = ['second_factor_required', 'second_factor_setup_required']

const standing = (reason: Row['reason']) => {
  if (reason === null) return { kind: '', text: words.signIns.signedIn }
  return goesOn.includes(reason)
    ? { kind: 'off', text: words.signIns.secondStep }
    : { kind: 'locked', text: words.signIns.refused }
}

/** Beside a password a code is that of the picture. */
const passwordTypes = ['password', 'password_captcha']

/** What the service has written in place of a name that no account has. */
const masked = /^.?\*{6}$/u

/** Of a second step. */
const factorTypes = ['totp', 'recovery', 'passkey']

/** The reason in words; one that has none as it is. */
const reasonText = ({ authType }: Row, reason: string): string => {
  if (reason === 'invalid_code' && passwordTypes.includes(authType)) return words.signIns.wrongLetters
  if (reason === 'unsupported_auth_type' && factorTypes.includes(authType)) return words.signIns.factorGone
  return words.signIns.reasons[reason] ?? reason
}

const timesText = ({ tries }: Row): string | false => tries > 1 && words.signIns.times(tries)

/** How often, and why, after the outcome. */
const afterOutcome = (row: Row): string => {
  const { reason } = row
  const why = reason !== null && !goesOn.includes(reason) && reasonText(row, reason)
  return [timesText(row), why].filter(Boolean).join(' · ')
}

const Outcome = ({ row }: { row: Row }) => {
  const { kind, text } = standing(row.reason)
  return (
    <>
      <span class={`status ${kind}`}>{text}</span> <span class="muted">{afterOutcome(row)}</span>
    </>
  )
}

const columns = (): Column<Row>[] => [
  {
    heading: words.signIns.time,
    width: 'time',
    look: 'num',
    sort: 'time',
    title: ({ time }) => dateAndTime(new Date(time)),
    cell: ({ time }) => logTime(new Date(time)),
  },
  {
    heading: words.signIns.who,
    width: 'name',
    title: ({ subject }) => visible(subject),
    cell: (row) => (
      <>
        <Name text={row.subject} />
        <span class="sub">
          {[
            row.reason === null || goesOn.includes(row.reason)
              ? standing(row.reason).text
              : reasonText(row, row.reason),
            timesText(row),
            frame.methods(row.authType),
            row.address,
          ]
            .filter((part) => part !== false)
            .join(' · ')}
        </span>
      </>
    ),
  },
  {
    heading: words.signIns.outcome,
    hides: 700,
    look: 'wrap',
    title: (row) => `${standing(row.reason).text} ${afterOutcome(row)}`.trim(),
    cell: (row) => <Outcome row={row} />,
  },
  {
    heading: words.signIns.method,
    width: 'mid',
    hides: 1024,
    title: ({ authType }) => frame.methods(authType),
    cell: ({ authType }) => frame.methods(authType),
  },
  {
    heading: words.signIns.device,
    width: 'name',
    hides: 1024,
    title: ({ userAgent }) => visible(userAgent),
    cell: ({ userAgent }) => deviceName(userAgent),
  },
  {
    heading: words.signIns.address,
    width: 'mid',
    hides: 1200,
    title: ({ address }) => address,
    cell: ({ address }) => address,
  },
]

const outcomes = () =>
  [
    ['signedIn', words.signIns.signedIn],
    ['refused', words.signIns.refused],
  ] as const

/** The login log: sign-ins and refusals. */
export const SignIns = () => {
  const list = useList('GET /system/login-log/page', {
    sort: '-time',
    filters: ['subject', 'tenantId', 'outcome', 'period', 'timeFrom'],
    toQuery: ({ period, outcome, ...query }) => ({
      ...query,
      timeFrom: startOf(period) ?? query['timeFrom'],
      ...(outcome === 'refused' && { refusedOnly: 'true' }),
      ...(outcome === 'signedIn' && { succeededOnly: 'true' }),
    }),
  })
  return (
    <Page title={words.signIns.title}>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search of={list} name="subject" label={words.signIns.search} placeholder={words.signIns.searchHint} />
        <TenantFilter of={list} />
        <ChoiceFilter of={list} name="outcome" label={words.signIns.outcome} options={outcomes()} />
        <PeriodFilter of={list} />
      </form>
      {list.data?.records.some(({ subject }) => masked.test(subject)) && <p class="hint">{words.signIns.masked}</p>}
      <Table
        of={list}
        caption={words.signIns.caption}
        columns={columns()}
        keyOf={({ id }) => id}
        bar={(total) => words.signIns.count(total, number(total))}
        empty={{ title: words.signIns.none, hint: words.signIns.noneHint }}
      />
    </Page>
  )
}
