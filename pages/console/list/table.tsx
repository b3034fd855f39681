import { Fragment, type ComponentChildren } from 'preact'
import { Icon } from '../../shared/frame/icon.js'
import { words } from '../words.js'
import { Pager } from './pager.js'
import type { List } from './use-list.js'

/** The classes of the style sheet. */
const widths = {
  name: 'c-name',
  mid: 'c-mid',
  time: 'c-time',
  tiny: 'c-tiny',
  mail: 'c-mail',
  action: 'c-name rest',
  pick: 'pick',
  menu: 'menu-cell',
  end: 'end-cell',
}
const hides = { 700: 'w1', 1024: 'w2', 1200: 'w3' }

interface Place {
  /** Absent: what is left over. */
  width?: keyof typeof widths
  /** Below so many pixels of the window the column is not there. */
  hides?: keyof typeof hides
  /** `wrap`: what does not fit goes on in the next line. */
  look?: 'num' | 'muted' | 'wrap'
}

const classOf = ({ width, hides: below, look }: Place): string | undefined =>
  [width && widths[width], below && hides[below], look].filter(Boolean).join(' ') || undefined

export interface Column<Row> extends Place {
  heading: ComponentChildren
  /** The column of the API to sort by, if one can. */
  sort?: string
  /** What the second line of the cells is in the narrow, and the column of the API to sort by it. */
  below?: { heading: string; sort: string }
  /** The whole text of what an ellipsis may cut. */
  title?: (row: Row) => string | undefined
  cell: (row: Row) => ComponentChildren
}

interface TableProps<Row> {
  of: List<Row>
  caption: string
  columns: Column<Row>[]
  keyOf: (row: Row) => string | number
  isPicked?: (row: Row) => boolean
  /** Further lines below a row, across all columns. */
  detail?: (row: Row) => ComponentChildren
  /** Above the table: how many rows there are, or what can be done with those that are selected. */
  bar: (total: number) => ComponentChildren
  /** Where the search and the filters leave no row. */
  nothingHint?: string
  /** In place of a list without rows that nothing has been filtered out of. */
  empty: { title: string; hint: string; actions?: ComponentChildren }
  class?: string
}

interface BlankProps {
  title: string
  hint: string
  role: 'status' | 'alert'
  children?: ComponentChildren
}

const Blank = ({ title, hint, role, children }: BlankProps) => (
  <div class="narrow">
    <div class="blank" role={role}>
      <div>
        <h2>{title}</h2>
        <p class="muted">{hint}</p>
      </div>
      {children !== undefined && <div class="line">{children}</div>}
    </div>
  </div>
)

interface HeadingProps<Row> {
  of: List<Row>
  /** What can be sorted by, one below the other. */
  lines: readonly Pick<Column<Row>, 'heading' | 'sort'>[]
  class: string | undefined
}

const Heading = <Row,>({ of: { sort, change }, lines, class: kind }: HeadingProps<Row>) => {
  const isSorted = lines.some((line) => line.sort === sort.column)
  return (
    <th class={kind} aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}>
      {lines.map((line) => {
        const isOrder = line.sort === sort.column
        const next = isOrder && !sort.isDescending ? `-${sort.column}` : line.sort
        return (
          <button class="sort" onClick={() => change({ sort: next })} key={line.sort}>
            {line.heading}
            {isOrder && <Icon name={sort.isDescending ? 'down' : 'up'} />}
          </button>
        )
      })}
    </th>
  )
}

/** The heading of a column. Which of two lines is the order of the list depends on the width, so that each width has a cell of its own. */
const headingOf = <Row,>(list: List<Row>, column: Column<Row>, at: number) => {
  const { sort, heading, below } = column
  if (sort === undefined)
    return (
      <th class={classOf(column)} key={at}>
        {heading}
      </th>
    )
  return (
    <Fragment key={at}>
      <Heading of={list} lines={[column]} class={classOf(below ? { ...column, hides: 700 } : column)} />
      {below && <Heading of={list} lines={[column, below]} class={`${classOf(column) ?? ''} w0`} />}
    </Fragment>
  )
}

const Waiting = <Row,>({ columns }: { columns: Column<Row>[] }) => (
  <>
    {[1, 2, 3, 4].map((row) => (
      <tr key={row}>
        {columns.map((column, at) => (
          <td class={classOf(column)} key={at}>
            <span class="wait" />
          </td>
        ))}
      </tr>
    ))}
  </>
)

/** A page of a list: its states, its rows and the way to the other pages. */
export const Table = <Row,>({
  of: list,
  caption,
  columns,
  keyOf,
  isPicked,
  detail,
  bar,
  nothingHint = words.list.nothingHint,
  empty,
  class: kind = '',
}: TableProps<Row>) => {
  const { data, fault } = list
  if (fault)
    return (
      <Blank title={words.list.notLoaded} hint={fault.message} role="alert">
        <button onClick={list.reload}>{words.list.tryNow}</button>
      </Blank>
    )
  if (data?.total === 0 && !list.isLoading)
    return list.isFiltered ? (
      <Blank title={words.list.nothing} hint={nothingHint} role="status">
        <button onClick={list.clear}>{words.list.clear}</button>
      </Blank>
    ) : (
      <Blank title={empty.title} hint={empty.hint} role="status">
        {empty.actions}
      </Blank>
    )
  return (
    <>
      <div class="bar" role="status">
        {data ? bar(data.total) : <span class="muted">{words.list.loading}</span>}
      </div>
      <table class={`list ${kind}`} aria-busy={list.isLoading}>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>{columns.map((column, at) => headingOf(list, column, at))}</tr>
        </thead>
        <tbody>
          {data === undefined && <Waiting columns={columns} />}
          {data?.records.map((row) => {
            const below = detail?.(row)
            const state = [isPicked?.(row) && 'picked', below !== undefined && 'open'].filter(Boolean).join(' ')
            return (
              <Fragment key={keyOf(row)}>
                <tr class={state || undefined}>
                  {columns.map((column, at) => (
                    <td class={classOf(column)} title={column.title?.(row)} key={at}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
                {below !== undefined && (
                  <tr class="detail">
                    <td colSpan={columns.length}>{below}</td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
      {data && <Pager of={list} total={data.total} />}
    </>
  )
}
