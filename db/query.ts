import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from 'kysely'
import type { Tables } from './tables.js'

/** Takes the place of a value that each run binds: a parameter, an item of a list, or a column of an item. */
class Placeholder {
  constructor(
    readonly name: string,
    readonly index?: number,
    readonly column?: string,
  ) {}
  /** Fails a query that uses the value as text or number when it is built: it would keep the value of its first run. */
  [Symbol.toPrimitive](): never {
    throw new Error(`The value of ${this.name} is not known before the query runs`)
  }
}

type Values = Readonly<Record<string, unknown>>
const mapValues = (values: object, map: (name: string, value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(name, value)]))

const placeholdersFor = (parameters: object) =>
  mapValues(parameters, (name, value) => {
    if (!Array.isArray(value)) return new Placeholder(name)
    return value.map((item: unknown, index) =>
      typeof item === 'object' && item !== null
        ? mapValues(item, (column) => new Placeholder(name, index, column))
        : new Placeholder(name, index),
    )
  })

const bind = (slots: readonly unknown[], parameters: Values): unknown[] => {
  const values: unknown[] = []
  for (const slot of slots) {
    let value = slot
    if (slot instanceof Placeholder) {
      value = parameters[slot.name]
      if (slot.index !== undefined) value = (value as unknown[])[slot.index]
      if (slot.column !== undefined) value = (value as Values)[slot.column]
    }
    // A driver may treat undefined as null.
    if (value === undefined) throw new Error('A query has no value for one of its parameters')
    values.push(value)
  }
  return values
}

/** The text of a query, without its values. */
export interface QueryText<Parameters> {
  sql: string
  /** The values for the parameters of the text, in their order. */
  bind: (parameters: Parameters) => unknown[]
}

/**
 * Compiles a query whose text is kept and run with other values later: `bind` takes parameters with the same names, and lists of
 * the same lengths, as `parameters`. `build` receives placeholders for them. The caller runs the query.
 */
export const compileText = <Parameters extends object>(
  parameters: Parameters,
  build: (placeholders: Parameters) => Compilable,
): QueryText<Parameters> => {
  const { sql, parameters: slots } = build(placeholdersFor(parameters) as Parameters).compile()
  return { sql, bind: (values) => bind(slots, values as Values) }
}

/** The lengths of all lists: they decide the text of a query. */
const lengthsOf = (parameters: Values): string => {
  let lengths = ''
  for (const name in parameters) {
    const value = parameters[name]
    if (Array.isArray(value)) lengths += `${value.length} `
  }
  return lengths
}

/**
 * Compiles a query that runs often once for each instance of Kysely, which its transactions share: to compile it takes longer than most queries. The parameters are named and
 * typed; `build` receives placeholders for them. A parameter may be a list of values or of rows: the
 * query is compiled once for each length, so there should be few lengths. All rows of a list must have the columns of
 * the first.
 */
export const compileQuery = <Parameters extends object, Result>(
  build: (db: Kysely<Tables>, parameters: Parameters) => Compilable<Result>,
) => {
  const compiled = new WeakMap<DialectAdapter, Map<string, CompiledQuery<Result>>>()
  const compile = (db: Kysely<Tables>, parameters: Parameters): CompiledQuery<Result> => {
    const { adapter } = db.getExecutor()
    const byLengths = compiled.get(adapter) ?? new Map<string, CompiledQuery<Result>>()
    const lengths = lengthsOf(parameters as Values)
    const known = byLengths.get(lengths)
    if (known) return known
    const query = build(db, placeholdersFor(parameters) as Parameters).compile()
    compiled.set(adapter, byLengths.set(lengths, query))
    return query
  }
  return async (db: Kysely<Tables>, parameters: Parameters): Promise<Result[]> => {
    const known = compile(db, parameters)
    const { rows } = await db.executeQuery({ ...known, parameters: bind(known.parameters, parameters as Values) })
    return rows as Result[]
  }
}

/** Rows of one statement: engines limit the parameters of a statement, and SQLite copies each page that it changes. */
const rowsPerStatement = 50

/** Compiles an insert of many rows into few statements. All rows must have the columns of the first. */
export const compileInsert = <Row extends object, Result>(
  build: (db: Kysely<Tables>, rows: Row[]) => Compilable<Result>,
) => {
  const insert = compileQuery((db, { rows }: { rows: Row[] }) => build(db, rows))
  return async (db: Kysely<Tables>, rows: Row[]): Promise<Result[]> => {
    const results: Result[] = []
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      results.push(...(await insert(db, { rows: rows.slice(start, start + rowsPerStatement) })))
    }
    return results
  }
}
