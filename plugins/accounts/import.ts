import PQueue from 'p-queue'
import type { Database, Repositories } from '../../db/index.js'
import type { Fault } from '../errors/violations.js'
import { createAccounts, faultsOf, type AccountCollaborators, type CheckedAccount } from './account.js'
import type { CsvRecord } from './csv.js'
import type { Finders } from './finders.js'
import { readRow } from './import-columns.js'
import { inBatches, readForm, rowsOf } from './import-file.js'
import { openSpool } from './spool.js'

export interface ImportOptions {
  /** Id or name of the tenant of rows that name none. */
  tenant?: string | undefined
  /** Whether people with a password in the file must change it, where the row does not say. */
  forcePasswordChange: boolean
  /** `each` adds the good rows, `atomic` all or none, `dryRun` none. */
  mode: 'each' | 'atomic' | 'dryRun'
}

export interface RefusedRow {
  line: number
  faults: Fault[]
}

export interface ImportListener {
  /** The file can be read as a whole; so many steps will follow. */
  onStart: (steps: number) => void
  onProgress: (steps: number) => void
  onRefused: (row: RefusedRow) => void
}

interface Candidate {
  line: number
  account: CheckedAccount
}

/** Asks once for each thing that is there. */
const remember = <K extends unknown[], T>(find: (...key: K) => Promise<T>) => {
  const found = new Map<string, T>()
  return async (...key: K): Promise<T> => {
    const name = JSON.stringify(key)
    const value = found.get(name) ?? (await find(...key))
    found.set(name, value)
    return value
  }
}

/** Ends the transaction with nothing kept. */
class Undone extends Error {}

const byLine = (one: RefusedRow, other: RefusedRow) => one.line - other.line

export const createImport = (
  collaborators: AccountCollaborators & { db: Database; directory: string },
  finders: Finders,
) => {
  const { db, directory, passwords } = collaborators

  return {
    /**
     * Adds the users of a CSV file, with the checks of `addUser`; memory does not grow with the file. Returns how many
     * were added and refused. Throws an `OperatorError`, with nothing written, for a file that cannot be read.
     */
    async importUsers(file: string, options: ImportOptions, listener: ImportListener) {
      const { mode } = options
      const { columns, count } = await readForm(file)
      const accounts = createAccounts(collaborators, {
        findTenant: remember(finders.findTenant),
        findTenantNamed: remember(finders.findTenantNamed),
        findRole: remember(finders.findRole),
      })
      // As many at once as hashes are made at once: more would only fill the queue of the hashes.
      const queue = new PQueue({ concurrency: passwords.capacity })
      let refused = 0

      const refuse = (rows: RefusedRow[]) => {
        refused += rows.length
        for (const row of rows.sort(byLine)) listener.onRefused(row)
      }

      const prepare = async ({ line, cells }: CsvRecord): Promise<Candidate | RefusedRow> => {
        let account: CheckedAccount | undefined
        const faults = await faultsOf(async () => {
          const read = readRow(columns, cells)
          const { tenant = options.tenant, password } = read.account
          const mustChange = password !== undefined && options.forcePasswordChange
          account = await accounts.check({ forcePasswordChange: mustChange, ...read.account, tenant }, read.faults)
          // A hash is dear: not for what will be refused, and not for what will not be kept.
          if (password === undefined || mode === 'dryRun' || (mode === 'atomic' && refused > 0)) return
          await accounts.checkTaken(db.users, account)
          account = await accounts.seal(account)
        })
        listener.onProgress(1)
        return account && faults.length === 0 ? { line, account } : { line, faults }
      }

      const prepareAll = async (rows: CsvRecord[]) => {
        const prepared = await queue.addAll(rows.map((row) => () => prepare(row)))
        return {
          candidates: prepared.filter((row) => 'account' in row),
          refusals: prepared.filter((row) => 'faults' in row),
        }
      }

      const write = async (repositories: Repositories, candidates: Candidate[]): Promise<RefusedRow[]> => {
        const refusals: RefusedRow[] = []
        const written = await accounts.writeMany(
          repositories,
          candidates.map(({ account }) => account),
        )
        for (const [index, { line, account }] of candidates.entries()) {
          if (written[index]) continue
          const faults = await faultsOf(() => accounts.checkTaken(repositories.users, account))
          refusals.push({ line, faults })
        }
        return refusals
      }

      const importEach = async () => {
        listener.onStart(count)
        for await (const rows of inBatches(rowsOf(file))) {
          const { candidates, refusals } = await prepareAll(rows)
          const taken = candidates.length > 0 ? await db.transaction((inside) => write(inside, candidates)) : []
          refuse([...refusals, ...taken])
        }
      }

      /** Checks and hashes everything first, so that the one transaction is as short as it can be. */
      const importTogether = async () => {
        listener.onStart(2 * count)
        const spool = await openSpool<Candidate>(directory)
        try {
          for await (const rows of inBatches(rowsOf(file))) {
            const { candidates, refusals } = await prepareAll(rows)
            refuse(refusals)
            await spool.add(candidates)
            listener.onProgress(refusals.length)
          }
          await db.prepareManyWrites()
          await db.transaction(async (inside) => {
            for await (const candidates of inBatches(spool.read())) {
              refuse(await write(inside, candidates))
              listener.onProgress(candidates.length)
            }
            if (refused > 0 || mode === 'dryRun') throw new Undone()
          })
        } catch (error) {
          if (!(error instanceof Undone)) throw error
        } finally {
          await spool.close()
        }
      }

      await (mode === 'each' ? importEach() : importTogether())
      const isKept = mode === 'each' || (mode === 'atomic' && refused === 0)
      return { rows: count, added: isKept ? count - refused : 0, refused }
    },
  }
}
