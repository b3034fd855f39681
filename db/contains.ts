import { sql, type Expression, type RawBuilder } from 'kysely'

/** Escapes what has a meaning in a LIKE pattern. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The LIKE pattern that matches the texts which contain `text`. */
export const patternOf = (text: string): string => `%${escaped(text)}%`

type Column = string | Expression<unknown>

/** The condition that `column` matches a pattern of `patternOf`. */
export const matches = (column: Column, pattern: string): RawBuilder<boolean> =>
  sql<boolean>`${typeof column === 'string' ? sql.ref(column) : column} like ${pattern} escape '\\'`

/** The condition that `column` contains `text`, letter by letter: for columns of folded text. */
export const contains = (column: Column, text: string): RawBuilder<boolean> => matches(column, patternOf(text))

/** The same without regard to case; SQLite knows only the case of ASCII letters. For columns without folded text. */
export const containsAnyCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${escaped(text.toLowerCase())}%`} escape '\\'`
