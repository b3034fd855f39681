import { setImmediate } from 'node:timers/promises'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Page } from './paging.js'
import type { Tables } from './tables.js'

/** Rows that one statement passes, few enough to hold the event loop for a few milliseconds only. */
const stepSize = 4000

interface Queries<Table extends keyof Tables, Position extends object, Row> {
  /** The columns of the order, of all rows in which an index can order. */
  positions: () => SelectQueryBuilder<Tables, Table, Position>
  /** The wanted rows among them. */
  rows: () => SelectQueryBuilder<Tables, Table, Row>
}

/**
 * A page of rows, and how many rows there are in all, however many there are. It walks along an index on `order` in steps,
 * and other requests are answered between the steps: to count under a filter means to read all rows. Rows that are added
 * meanwhile may be missing.
 */
export const readPageInSteps = async <Table extends keyof Tables, Position extends object, Row>(
  page: Page,
  direction: 'asc' | 'desc',
  order: [time: string, id: string],
  queries: Queries<Table, Position, Row>,
): Promise<{ rows: Row[]; total: number }> => {
  const columns = sql.join(order.map((column) => sql.ref(column)))
  const [behind, upTo] = direction === 'asc' ? ['>', '<='] : ['<', '>=']
  const compare = (operator: string, position: unknown[]) =>
    sql<boolean>`(${columns}) ${sql.raw(operator)} (${sql.join(position)})`
  const ordered = <Selected>(query: SelectQueryBuilder<Tables, Table, Selected>) =>
    order.reduce((sorted, column) => sorted.orderBy(sql.ref(column), direction), query)

  const rows: Row[] = []
  let total = 0
  let after: unknown[] | undefined
  for (;;) {
    const between = <Selected>(query: SelectQueryBuilder<Tables, Table, Selected>, end?: unknown[]) => {
      const begun = after ? query.where(compare(behind, after)) : query
      return end ? begun.where(compare(upTo, end)) : begun
    }
    const lasts = await ordered(between(queries.positions()))
      .limit(1)
      .offset(stepSize - 1)
      .execute()
    const [end] = lasts.map((last): unknown[] => Object.values(last))
    const { count } = await between(queries.rows(), end)
      .clearSelect()
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    const offset = Math.max(0, page.offset - total)
    const missing = page.size - rows.length
    if (missing > 0 && offset < Number(count))
      rows.push(...((await ordered(between(queries.rows(), end)).limit(missing).offset(offset).execute()) as Row[]))
    total += Number(count)
    // Fewer rows than a step were left.
    if (end === undefined) return { rows, total }
    after = end
    await setImmediate()
  }
}
