import { sortColumns } from '../schemas/user.js'

/** Filters of the list by name. Together with the sort columns they are every way in which a page may be asked for. */
export const filters = (phone: string): Record<string, string> => ({
  'username, Latin': 'username=zhang',
  'username, Chinese': 'username=王',
  'realName, Latin': 'realName=maria',
  'realName, Chinese': 'realName=小明',
  'keyword, 1 Latin letter': 'keyword=w',
  'keyword, 2 Latin letters': 'keyword=wa',
  'keyword, 5 Latin letters': 'keyword=zhang',
  'keyword, 1 Chinese character': 'keyword=王',
  'keyword, 2 Chinese characters': 'keyword=欧阳',
  'keyword, 5 Chinese characters': 'keyword=欧阳建国伟',
  'keyword, nobody has it': 'keyword=zzzzz',
  phone: `phone=${phone}`,
  'userStatus, most': 'userStatus=1',
  'userStatus, few': 'userStatus=2',
  'userType, few': 'userType=1',
  tenantId: 'tenantId=3',
  'createTime, one year': 'createTimeFrom=2022-01-01&createTimeTo=2022-12-31',
  'keyword and userStatus': 'keyword=li&userStatus=0',
})

export const sorts: Record<string, string> = Object.fromEntries(
  sortColumns.map((column) => [`by ${column}`, `orderByColumn=${column}&isAsc=asc`]),
)

/** Those that ask most of the database: much to find, and nothing in the order of an index. */
export const heavy = [
  'keyword=w&orderByColumn=realName',
  'keyword=王&orderByColumn=lastLoginTime',
  'realName=a&orderByColumn=phone',
]

/** Filters of pages that are never asked for twice. */
export const changing = [
  'userStatus=1',
  'userType=2',
  'tenantId=1',
  'keyword=wang',
  'keyword=王',
  'realName=ma',
  'username=li',
]
