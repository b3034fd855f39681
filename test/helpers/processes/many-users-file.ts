import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface ManyUsers {
  /** The number of the first user. */
  from?: number
  count: number
  /** Key of a role that every third user has. */
  role?: string
}

/** Names, contacts and remarks in several scripts, some of them blank. */
const rowOf = (number: number, role: string) => [
  `user${number}`,
  number % 3 === 0 ? `Zoë O'Brien ${number}` : `王小明${number}`,
  number % 10 === 0 ? '' : `+86138${String(number).padStart(8, '0')}`,
  number % 5 === 0 ? '' : `user.${number}@example.com`,
  number % 3 === 0 ? role : '',
  String(number % 3),
  number % 7 === 0 ? `备注 ${'remark '.repeat(60)}${number}` : '',
]

/** Writes a CSV file for `user import` to a data directory: users who cannot sign in. Returns its path. */
export const writeManyUsers = (directory: string, { from = 1, count, role = '' }: ManyUsers): string => {
  const path = join(directory, `users-from-${from}.csv`)
  const rows = Array.from({ length: count }, (_, index) => rowOf(from + index, role))
  const columns = ['username', 'realName', 'phone', 'email', 'roles', 'gender', 'remark']
  writeFileSync(path, [columns, ...rows].map((row) => row.join(',')).join('\n'))
  return path
}
