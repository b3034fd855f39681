import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { int32, int64, safe } from './ref.js'

/** Page numbers and sizes out of range are corrected, not refused (interface 2.5). */
export const paging = { defaultPage: 1, defaultSize: 10, maximumSize: 100 } as const

/** The column to sort by. The example is a column of the list: Swagger UI fills it in. */
export const orderByColumn = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 500, description, examples: [example] }))

/** The paging parameters shared by every paged query (interface 2.5). */
export const pagingParameters = {
  pageNum: Type.Optional(
    int64({ description: 'Page to return; absent or below 1 means 1', default: paging.defaultPage }),
  ),
  pageSize: Type.Optional(
    int32({
      // Larger values mean 100, however large they are.
      ...safe,
      description: 'Rows per page; absent or below 1 means 10, above 100 means 100',
      default: paging.defaultSize,
    }),
  ),
  orderByColumn: orderByColumn(
    'Column to sort by, camelCase or snake_case, or up to three separated by commas',
    'createTime',
  ),
  isAsc: Type.Optional(
    Type.String({
      maxLength: 500,
      description: '`asc` or `desc`, one for each column; blank means `asc`',
      examples: ['desc'],
    }),
  ),
}

/** A page of rows (interface 2.4). */
export const pageOf = <T extends TSchema>(record: T, $id: string) =>
  Type.Object(
    {
      records: Type.Array(record, { description: 'Rows of the current page' }),
      total: int64({ description: 'Total number of rows', examples: [1] }),
      size: int32({ description: 'Rows per page', examples: [10] }),
      current: int64({ description: 'Current page number', examples: [1] }),
      pages: int64({ description: 'Total number of pages', examples: [1] }),
    },
    { $id },
  )

export type PagingParameters = Static<ReturnType<typeof Type.Object<typeof pagingParameters>>>
