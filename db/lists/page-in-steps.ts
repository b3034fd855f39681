import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { containsAnyCase } from '../contains.js'
import type { Page } from '../paging.js'
import type { Tables } from '../tables.js'
import { comparing, sortInSteps, type Order, type Values } from './sort-in-steps.js'
import { firstRows, type Steps } from './steps.js'

/** A condition on one column. */
export interface Match {
  column: string
  condition: RawBuilder<boolean>
}

/** The listed tables and the types of their ids. */
interface Listed {
  api_tokens: string
  audit_trail: number
  login_log: number
  roles: number
  sessions: string
  tenants: number
}

/** What a page is read from. All columns are those of `table`. */
export interface SteppedList<Table extends keyof Listed> {
  db: Kysely<Tables>
  table: Table
  /** An index has the columns of `matches`, and then those of `order`, of which the last is unique. */
  walk: { matches: Match[]; order: string[]; direction: 'asc' | 'desc' }
  /** The least and the greatest value of the first column of `walk.order`. */
  from?: number | undefined
  to?: number | undefined
  /** What must match besides. */
  matches: Match[]
  /** What other indexes find. If one of them finds few rows, only these are read. */
  few?: Match[][]
  /** Absent means the order of the walk. */
  order?: Order[] | undefined
}

export const equals = (column: string, value: number | string): Match => ({
  column,
  condition: sql<boolean>`${sql.ref(column)} = ${value}`,
})

/** The column contains `text`, without regard to case. */
export const containsText = (column: string, text: string): Match => ({
  column,
  condition: containsAnyCase(column, text),
})

export const isNull = (column: string): Match => ({ column, condition: sql<boolean>`${sql.ref(column)} is null` })

/** The walk along the primary key `id`, and the order, for a table without an index on its other orders. Ties are sorted by id. */
export const byPrimaryKey = (order: Order[]): Pick<SteppedList<'roles' | 'tenants'>, 'walk' | 'order'> => {
  const [first] = order
  const direction = first?.column === 'id' ? first.direction : 'asc'
  const walk = { matches: [], order: ['id'], direction }
  if (!first || first.column === 'id') return { walk }
  const hasId = order.some(({ column }) => column === 'id')
  return { walk, order: hasId ? order : [...order, { column: 'id', direction: 'asc' }] }
}

type Rows<Row = object> = SelectQueryBuilder<Record<string, Values>, string, Row>

const where = <Row>(query: Rows<Row>, matches: Match[]): Rows<Row> =>
  matches.reduce((narrowed, { condition }) => narrowed.where(condition), query)

const inOrder = <Row>(query: Rows<Row>, order: Order[]): Rows<Row> =>
  order.reduce((sorted, { column, direction }) => sorted.orderBy(sql.ref(column), direction), query)

const columnsOf = (...parts: { column: string }[][]): string[] => [...new Set(parts.flat().map(({ column }) => column))]

const compareTo = (column: string, operator: '>=' | '<=', value: number | undefined): Match[] =>
  value === undefined ? [] : [{ column, condition: sql<boolean>`${sql.ref(column)} ${sql.raw(operator)} ${value}` }]

/**
 * The ids of a page, and how many rows match in all, however many there are. Counts in steps, between which other requests are
 * answered. Rows that are added meanwhile may be missing.
 */
export const readPageInSteps = async <Table extends keyof Listed>(
  list: SteppedList<Table>,
  page: Page,
  steps: Steps,
): Promise<{ ids: Listed[Table][]; total: number }> => {
  const { walk, from, to, matches, few = [], order } = list
  const db = list.db as unknown as Kysely<Record<string, Values>>
  const walkOrder = walk.order.map((column): Order => ({ column, direction: walk.direction }))
  const id = walk.order.at(-1) ?? ''
  const [first = id] = walk.order
  const bounds = { from: compareTo(first, '>=', from), to: compareTo(first, '<=', to) }
  const [near, far] = walk.direction === 'asc' ? [bounds.from, bounds.to] : [bounds.to, bounds.from]
  const isPast = (end: Values) => {
    const time = Number(end[first])
    return walk.direction === 'asc' ? to !== undefined && time > to : from !== undefined && time < from
  }

  const table = (some: Match[]): Rows => where(db.selectFrom(list.table), some)
  /** Those that match among `rows`. The limit of `rows` keeps the engine from choosing another index for `some`. */
  const among = (rows: Rows<Values>, some: Match[]): Rows => where(db.selectFrom(rows.as('step')), some)
  const toIds = (rows: Values[]) => rows.map((row) => row[id] as Listed[Table])
  const count = async (rows: Rows): Promise<number> => {
    const counted = await rows.select(({ fn }) => fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow()
    return Number(counted.count)
  }

  /** The page, if an index finds few rows for `some`. */
  const readFew = async (some: Match[]) => {
    const known = await table(some)
      .select(id)
      .limit(firstRows + 1)
      .execute()
    if (known.length > firstRows) return undefined
    const others = [...walk.matches, ...near, ...far, ...matches]
    const wanted = order ?? walkOrder
    const rows = () =>
      among(
        table(some)
          .select([...new Set([...columnsOf(others, wanted), id])])
          .limit(firstRows),
        others,
      )
    const ids = await inOrder(rows().select(id), wanted).limit(page.size).offset(page.offset).execute()
    return { ids: toIds(ids), total: await count(rows()) }
  }

  for (const some of few) {
    const found = await steps.run(() => readFew(some))
    if (found) return found
  }

  const others = [...far, ...matches]
  const columns = [...new Set([...walk.order, ...columnsOf(others, order ?? [])])]
  const compare = comparing(order ?? [])
  const ids: Listed[Table][] = []
  /** Of an order without an index: what each step has found, sorted. */
  const parts: Values[][] = []
  let total = 0
  let after: Values | undefined

  /** Takes what it needs of the next rows of the walk. */
  const take = async (rows: Rows<Values>): Promise<void> => {
    if (order) {
      const found = await among(rows, others)
        .select([...new Set([...columnsOf(order), id])])
        .execute()
      parts.push(found.sort(compare))
      total += found.length
      return
    }
    const found = await count(among(rows, others))
    const offset = Math.max(0, page.offset - total)
    const missing = page.size - ids.length
    if (missing > 0 && offset < found)
      ids.push(
        ...toIds(await inOrder(among(rows, others).select(id), walkOrder).limit(missing).offset(offset).execute()),
      )
    total += found
  }

  const behind = (last: Values): Match => {
    const names = sql.join(walk.order.map((column) => sql.ref(column)))
    const values = sql.join(walk.order.map((column) => last[column]))
    return {
      column: id,
      condition: sql<boolean>`(${names}) ${sql.raw(walk.direction === 'asc' ? '>' : '<')} (${values})`,
    }
  }

  const step = async (size: number): Promise<boolean> => {
    // Only one bound at each end: with two, an engine may walk from the wrong one.
    const rest = table([...walk.matches, ...(after ? [behind(after)] : near)])
    const [end] = await inOrder(rest.select(walk.order), walkOrder)
      .limit(1)
      .offset(size - 1)
      .execute()
    await take(inOrder(rest.select(columns), walkOrder).limit(size))
    after = end
    return end !== undefined && !isPast(end)
  }

  while (await steps.run(step));
  if (!order) return { ids, total }
  const sorted = await sortInSteps(parts, compare, steps)
  return { ids: toIds(sorted.slice(page.offset, page.offset + page.size)), total }
}
