import { pageNumbers, toPage } from '../../db/paging.js'
import type { PagingParameters } from '../../schemas/paging.js'

/** A page without rows, with the numbers that were asked for (interface 4.2 rule 6). */
export const emptyPage = (asked: Pick<PagingParameters, 'pageNum' | 'pageSize'>) => ({
  records: [],
  ...pageNumbers(0, toPage(asked)),
})
