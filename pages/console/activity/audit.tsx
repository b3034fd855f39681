import { useState } from 'preact/hooks'
import { Icon } from '../../shared/frame/icon.js'
import { Name, visible } from '../../shared/language/visible.js'
import { dateAndTime, logTime, number } from '../../shared/language/language.js'
import { Page } from '../../shared/shell/shell.js'
import { ChoiceFilter, Search } from '../list/filters.js'
import { PeriodFilter, startOf } from '../list/period.js'
import { Table, type Column } from '../list/table.js'
import { TenantFilter } from '../list/tenant-filter.js'
import { useList, type List, type RowOf } from '../list/use-list.js'
import { brought } from '../guests.js'
import { words } from '../words.js'
import { Changes } from './changes.js'

type Row = RowOf<'GET /system/audit/page'>

/** The kinds of what is changed, as the trail names them. */
const kinds = ['user', 'role', 'tenant', 'session', 'import', 'export', 'key'] as const

const kindOf = (type: string): string => {
  const kind = kinds.find((one) => one === type)
  if (kind !== undefined) return words.audit.kinds[kind]
  return brought.map(({ audit }) => audit?.kinds[type]).find((text) => text !== undefined) ?? visible(type)
}

/** An action of a guest that is switched off is shown as the trail names it. */
const actionOf = (action: string): string => {
  const tables: Record<string, string>[] = [words.audit.actions, ...brought.map(({ audit }) => audit?.actions ?? {})]
  return tables.map((table) => table[action]).find((text) => text !== undefined) ?? action
}

/** The kinds that can be chosen. */
const choices = (): [string, string][] => [
  ...kinds.map((kind): [string, string] => [kind, words.audit.kinds[kind]]),
  ...brought.flatMap(({ audit }) => Object.entries(audit?.kinds ?? {})),
]

const columns = (opened: readonly number[], toggle: (id: number) => void): Column<Row>[] => [
  {
    heading: <span class="sr">{words.audit.details}</span>,
    width: 'pick',
    cell: ({ id, action, targetName }) => (
      <button
        type="button"
        class="square quiet"
        aria-expanded={opened.includes(id)}
        aria-label={words.audit.openChanges(actionOf(action), visible(targetName))}
        onClick={() => toggle(id)}
      >
        <Icon name={opened.includes(id) ? 'down' : 'right'} />
      </button>
    ),
  },
  {
    heading: words.audit.time,
    width: 'time',
    look: 'num',
    sort: 'time',
    title: ({ time }) => dateAndTime(new Date(time)),
    cell: ({ time }) => logTime(new Date(time)),
  },
  {
    heading: words.audit.who,
    width: 'mid',
    hides: 700,
    title: ({ actorName }) => visible(actorName),
    cell: ({ actorName }) => <Name text={actorName} />,
  },
  {
    heading: words.audit.what,
    width: 'action',
    title: ({ action }) => action,
    cell: ({ action, targetName, actorName }) => (
      <>
        {actionOf(action)}
        <span class="sub">
          <Name text={targetName} /> · <Name text={actorName} />
        </span>
      </>
    ),
  },
  {
    heading: words.audit.whom,
    hides: 700,
    title: ({ targetName }) => visible(targetName),
    cell: ({ targetType, targetName }) => (
      <>
        <span class="muted">{kindOf(targetType)}</span> <Name text={targetName} />
      </>
    ),
  },
  {
    heading: words.audit.from,
    width: 'mid',
    hides: 1024,
    look: 'muted',
    title: ({ address }) => address || undefined,
    cell: ({ source, address }) => (source === 'api' ? address : words.audit.command),
  },
]

/** Rows of the audit trail, each with what was before and after. */
export const AuditTable = ({ of: list }: { of: List<Row> }) => {
  const [opened, setOpened] = useState<readonly number[]>([])
  const toggle = (id: number) => setOpened(opened.includes(id) ? opened.filter((one) => one !== id) : [...opened, id])
  return (
    <Table
      of={list}
      class="audit"
      caption={words.audit.caption}
      columns={columns(opened, toggle)}
      keyOf={({ id }) => id}
      detail={({ id, before, after, targetName }) =>
        opened.includes(id) ? <Changes before={before} after={after} name={targetName} /> : undefined
      }
      bar={(total) => words.audit.count(total, number(total))}
      empty={{ title: words.audit.none, hint: words.audit.noneHint }}
    />
  )
}

/** The audit trail. */
export const Audit = () => {
  const list = useList('GET /system/audit/page', {
    sort: '-time',
    filters: ['actorName', 'tenantId', 'targetType', 'period', 'timeFrom'],
    toQuery: ({ period, ...query }) => ({ ...query, timeFrom: startOf(period) ?? query['timeFrom'] }),
  })
  return (
    <Page title={words.audit.title}>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search of={list} name="actorName" label={words.audit.search} placeholder={words.audit.searchHint} />
        <TenantFilter of={list} />
        <ChoiceFilter of={list} name="targetType" label={words.audit.kind} options={choices()} />
        <PeriodFilter of={list} />
      </form>
      <AuditTable of={list} />
    </Page>
  )
}
