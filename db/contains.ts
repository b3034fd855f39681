import { sql, type RawBuilder } from 'kysely'

/** Escapes what has a meaning in a LIKE pattern. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The condition that `column` contains `text`, letter by letter: for columns of folded text. */
export const contains = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${`%${escaped(text)}%`} escape '\\'`

/** The same without regard to case; SQLite knows only the case of ASCII letters. For columns without folded text. */
export const containsAnyCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${escaped(text.toLowerCase())}%`} escape '\\'`
