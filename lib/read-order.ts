import type { PagingParameters } from '../schemas/paging.js'
import { invalidField } from './problem.js'

export interface Order<Column extends string> {
  column: Column
  direction: 'asc' | 'desc'
}

/** To sort many rows by all columns takes several times as long, and nobody reads further than the third. */
const maxSortColumns = 3

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const split = (text: string) => text.split(',').map((part) => part.trim())
const isDirection = (text: string): text is 'asc' | 'desc' => text === 'asc' || text === 'desc'

/**
 * Returns a function that reads `orderByColumn` and `isAsc` (interface 2.5) of a list with these columns. It throws
 * `invalid_request` for what is not a column or direction: nothing else ever reaches SQL.
 */
export const createReadOrder = <Column extends string>(columns: readonly Column[], defaultOrder: Order<Column>[]) => {
  const byName = new Map<string, Column>(
    columns.flatMap((column) => [
      [column, column],
      [toSnakeCase(column), column],
    ]),
  )
  return ({ orderByColumn, isAsc }: Pick<PagingParameters, 'orderByColumn' | 'isAsc'>): Order<Column>[] => {
    const directions = isAsc === undefined ? [] : split(isAsc.toLowerCase())
    if (!directions.every(isDirection)) throw invalidField('isAsc', 'unknown_direction')
    if (orderByColumn === undefined) return defaultOrder
    const names = split(orderByColumn)
    if (directions.length > 0 && directions.length !== names.length) throw invalidField('isAsc', 'unknown_direction')
    if (names.length > maxSortColumns)
      throw invalidField('orderByColumn', 'too_many_columns', { limit: maxSortColumns })
    const order = new Map<Column, Order<Column>['direction']>()
    for (const [index, name] of names.entries()) {
      const column = byName.get(name)
      if (column === undefined) throw invalidField('orderByColumn', 'unknown_column', { columns })
      // Named twice, a column sorts by its first mention.
      if (!order.has(column)) order.set(column, directions[index] ?? 'asc')
    }
    return [...order].map(([column, direction]) => ({ column, direction }))
  }
}
