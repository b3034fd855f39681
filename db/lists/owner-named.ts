import { sql } from 'kysely'
import { contains } from '../contains.js'
import { fold } from '../fold.js'
import type { Match } from './page-in-steps.js'

/** That the user name or the real name of the user of a row (`user_id`) contains the text, case-insensitive. */
export const ownerNamed = (keyword: string): Match => {
  const name = (column: string) => sql`(select ${sql.ref(column)} from users where users.id = user_id)`
  const key = fold(keyword)
  const condition = sql<boolean>`(${contains(name('username_key'), key)} or ${contains(name('real_name_key'), key)})`
  return { column: 'user_id', condition }
}
