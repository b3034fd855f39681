import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { OperatorError } from '../../lib/operator-error.js'
import { isMissing, openEngine, shownAddress } from '../engines.js'
import type { Engine } from '../port.js'
import type { ReportProgress } from '../progress.js'
import { forgetServers, markMoved } from '../marks.js'
import { InvalidTextError, OpenError } from '../errors.js'
import { isOutage } from '../outage.js'
import { compileInsert } from '../query.js'
import type { Tables } from '../tables.js'
import { checkSource, nothingCopied, prepareTarget, refuseData, refuseServed } from './checks.js'
import { countRows, createDigest, readRows, type Row } from './rows.js'
import type { TableName } from '../keeps.js'
import { keptTables } from '../repositories/kept.js'
import { tablesToCopy, type CopiedTable } from './tables.js'

export interface CopyOptions {
  /** URLs as for `openDatabase`. */
  from: string
  to: string
  /** Where relative paths start. */
  directory: string
  /** Whether captchas, codes, lockouts and counters are copied, too. */
  hasStore: boolean
  /** Whether the source stays in use: otherwise no server may use it, and it is marked as moved afterwards. */
  keepsSource: boolean
  /** Aborting leaves the target without data. */
  signal: AbortSignal
  progress: ReportProgress
}

export interface Copied {
  /** Where the databases are, without passwords. */
  from: string
  to: string
  /** Rows that were copied, by table. */
  rows: Partial<Record<TableName, number>>
  /** Whether the source is marked as moved, so that nothing uses it any more. */
  moved: boolean
}

/** Names the first text that PostgreSQL cannot store. */
const explainInvalidText = (rows: Row[], { name, key }: CopiedTable): OperatorError => {
  const isInvalid = (value: unknown) => typeof value === 'string' && value.includes('\0')
  const row = rows.find((one) => Object.values(one).some(isInvalid)) ?? {}
  const column = Object.keys(row).find((one) => isInvalid(row[one])) ?? ''
  const place = key.map((part) => `${part} ${String(row[part])}`).join(', ')
  return new OperatorError(
    `The target cannot store the NUL character in ${column} of table ${name} (${place}). Remove it from the source. ${nothingCopied}`,
  )
}

const createInsert = (table: CopiedTable, db: Kysely<Tables>) => {
  const insert = compileInsert<Row, unknown>((db, rows) => db.insertInto(table.name).values(rows))
  return async (rows: Row[]) => {
    await insert(db, rows).catch((error: unknown) => {
      throw error instanceof InvalidTextError ? explainInvalidText(rows, table) : error
    })
  }
}

/** Passes the rows of a table to `take`, some at a time, and resolves to their digest. */
const walk = async (table: CopiedTable, db: Kysely<Tables>, take: (rows: Row[]) => Promise<void>) => {
  const digest = createDigest()
  for await (const rows of readRows(db, table)) {
    await take(rows)
    digest.add(rows)
  }
  return digest.result()
}

/** Copies all rows, reads them back and compares. Throws when the target has others than the source. */
const copyRows = async (
  both: Record<'source' | 'target', Kysely<Tables>>,
  { hasStore, signal, progress }: CopyOptions,
): Promise<Copied['rows']> => {
  const tables = tablesToCopy(hasStore)
  let total = 0
  for (const table of tables) total += 2 * (await countRows(both.source, table))
  let done = 0
  const step = async ({ length }: Row[]) => {
    // An engine inside the process leaves no time for Ctrl-C.
    await setImmediate()
    signal.throwIfAborted()
    progress('Rows copied and compared', (done += length), total)
  }
  const counts: Copied['rows'] = {}
  for (const table of tables) {
    const insert = createInsert(table, both.target)
    const copied = await walk(table, both.source, (rows) => insert(rows).then(() => step(rows)))
    const found = await walk(table, both.target, step)
    if (found.count !== copied.count || found.sha256 !== copied.sha256) {
      throw new OperatorError(`The target has other rows in table ${table.name} than the source. ${nothingCopied}`)
    }
    counts[table.name] = copied.count
  }
  signal.throwIfAborted()
  return counts
}

const open = async (url: string, directory: string): Promise<Engine> => {
  try {
    return await openEngine(url, directory)
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    const { message } = error.cause as Error
    throw new OperatorError(`${shownAddress(url, directory)} cannot be opened: ${message}. ${nothingCopied}`, {
      cause: error,
    })
  }
}

/** Opens both databases; the target, which may be created by that, only when the source can be copied. */
const openBoth = async (
  { from, to, directory, keepsSource, progress }: CopyOptions,
  names: Record<'from' | 'to', string>,
) => {
  if (isMissing(from, directory)) throw new OperatorError(`There is no database at ${names.from}. ${nothingCopied}`)
  const source = await open(from, directory)
  try {
    await checkSource(source, names.from)
    if (!keepsSource) await refuseServed(source, names.from)
    if (names.from === names.to) throw new OperatorError(`Source and target are the same. ${nothingCopied}`)
    const target = await open(to, directory)
    const close = async () => {
      await Promise.all([source.close(), target.close()])
    }
    try {
      await prepareTarget(target, names.to, progress)
    } catch (error) {
      await target.close()
      throw error
    }
    return { source, target, close }
  } catch (error) {
    await source.close()
    throw error
  }
}

/**
 * Copies the database at `from` to the empty one at `to`, as a whole or not at all. The source may be in use; what is written
 * there meanwhile is not copied. Throws an error for operators when one of them cannot be used.
 */
export const copyDatabase = async (options: CopyOptions): Promise<Copied> => {
  const names = { from: shownAddress(options.from, options.directory), to: shownAddress(options.to, options.directory) }
  const reached = { commit: false }
  try {
    const { source, target, close } = await openBoth(options, names)
    try {
      await target.prepareManyWrites()
      const rows = await source.copying.read((snapshot) =>
        target.copying.write(
          keptTables.map(({ name }) => name),
          async (transaction) => {
            await refuseData(transaction, names.to)
            const copied = await copyRows({ source: snapshot, target: transaction }, options)
            await target.copying.setLastIds(transaction, await source.copying.lastIds(snapshot))
            await forgetServers(transaction)
            // Somebody may have started one meanwhile.
            if (!options.keepsSource) await refuseServed(source, names.from)
            // A commit may be made although its answer is lost.
            reached.commit = true
            return copied
          },
        ),
      )
      await target.indexNames()
      if (!options.keepsSource) await markMoved(source.db, names.to)
      return { ...names, rows, moved: !options.keepsSource }
    } finally {
      await close()
    }
  } catch (error) {
    if (!isOutage(error)) throw error
    const outcome = reached.commit
      ? `The rows may have been copied, and ${names.from} is not marked as moved: empty the target, and copy again.`
      : nothingCopied
    throw new OperatorError(`A database does not answer: ${(error as Error).message}. ${outcome}`, { cause: error })
  }
}
