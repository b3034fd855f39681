import { Type, type Static } from '@sinclair/typebox'
import { UserQuery } from './user.js'

/** The filters and the order of the list, without pages. */
export const UserExportQuery = Type.Omit(UserQuery, ['pageNum', 'pageSize'], { $id: 'UserExportQuery' })
export type UserExportQuery = Static<typeof UserExportQuery>

/** An answer that is a CSV file. */
export const UsersAsCsv = {
  description: 'The file',
  content: { 'text/csv': { schema: Type.String({ examples: ['id,username,realName\r\n1,admin,Administrator\r\n'] }) } },
}
