import { paging, type PagingParameters } from '../schemas/paging.js'

export interface Page {
  /** Page number, from 1. */
  current: number
  /** Rows per page. */
  size: number
  offset: number
}

/** The effective page of a request (interface 2.5): a number out of range is replaced by the nearest valid one. */
export const toPage = (parameters: Pick<PagingParameters, 'pageNum' | 'pageSize'>): Page => {
  const { pageNum = paging.defaultPage, pageSize = paging.defaultSize } = parameters
  const current = pageNum < 1 ? paging.defaultPage : pageNum
  const size = pageSize < 1 ? paging.defaultSize : Math.min(pageSize, paging.maximumSize)
  return { current, size, offset: (current - 1) * size }
}

/**
 * The numbers of a page result (interface 2.4). Without records there are 0 pages; size and number are the effective
 * ones (4.2 rule 6).
 */
export const pageNumbers = (total: number, { size, current }: Page) => ({
  total,
  size,
  current,
  pages: Math.ceil(total / size),
})

/** Rows in the order of their ids. Rows that have been deleted are left out. */
export const inOrderOf = <Id, Row extends { id: Id }>(ids: Id[], rows: Row[]): Row[] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
