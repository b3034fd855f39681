import PQueue from 'p-queue'
import type { Database, Repositories } from '../../db/index.js'
import type { TemporaryFile } from '../../db/temporary-file.js'
import type { Fault } from '../../lib/violations.js'
import { createAccounts, faultsOf, type AccountCollaborators, type CheckedAccount } from './account.js'
import type { CsvRecord } from './csv.js'
import type { EndedImports } from './ended-imports.js'
import type { Lookups } from './lookups.js'
import { readRow } from './import-columns.js'
import { batchSize, inBatches, readForm, rowsOf } from './import-file.js'
import { createWholeImport } from './import-whole.js'
import { pauseAfter } from './pause-after.js'

export interface ImportOptions {
  /** Id or name of the tenant of rows that name none. */
  tenant?: string | undefined
  /** Whether people with a password in the file must change it, where the row does not say. */
  forcePasswordChange: boolean
  /** `each` adds the good rows, `atomic` all or none, `dryRun` none. */
  mode: 'each' | 'atomic' | 'dryRun'
  /** Ends the import early: with `each` those stay who have been added, otherwise nobody. */
  signal?: AbortSignal | undefined
}

export interface RefusedRow {
  line: number
  faults: Fault[]
}

export interface ImportListener {
  /** The file can be read as a whole; so many steps will follow at most. */
  onStart: (steps: number) => void
  onProgress: (steps: number) => void
  onRefused: (row: RefusedRow) => void
}

export interface Candidate {
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

const byLine = (one: RefusedRow, other: RefusedRow) => one.line - other.line

export const createImport = (
  collaborators: AccountCollaborators & { db: Database },
  lookups: Lookups,
  endedImports: EndedImports,
) => {
  const { db, passwords, clock } = collaborators
  const wholeImport = createWholeImport({ db, clock, endedImports })

  return {
    /**
     * Adds the users of a CSV file, with the checks of `addUser`; memory does not grow with the file. Returns how many
     * were added and refused. Throws an `OperatorError`, with nothing written, for a file that cannot be read.
     */
    async importUsers(file: string, options: ImportOptions, listener: ImportListener) {
      const { mode, signal } = options
      const { columns, count } = await readForm(file)
      await endedImports.removeEnded(clock.now(), Infinity)
      const accounts = createAccounts(collaborators, {
        findTenant: remember(lookups.findTenant),
        findTenantNamed: remember(lookups.findTenantNamed),
        findRole: remember(lookups.findRole),
      })
      // As many at once as hashes are made at once: more would only fill the queue of the hashes.
      const queue = new PQueue({ concurrency: passwords.capacity })
      let added = 0
      let refused = 0

      const refuse = (rows: RefusedRow[]) => {
        refused += rows.length
        for (const row of rows.sort(byLine)) listener.onRefused(row)
      }

      const check = async ({ line, cells }: CsvRecord): Promise<Candidate | RefusedRow> => {
        let account: CheckedAccount | undefined
        const faults = await faultsOf(async () => {
          const read = readRow(columns, cells)
          const { tenant = options.tenant, password } = read.account
          const mustChange = password !== undefined && options.forcePasswordChange
          account = await accounts.check({ forcePasswordChange: mustChange, ...read.account, tenant }, read.faults)
          await accounts.checkTaken(db.users, account)
        })
        return account && faults.length === 0 ? { line, account } : { line, faults }
      }

      const hashPassword = async ({ line, account }: Candidate): Promise<Candidate> => {
        const hashed = { line, account: await accounts.hashPassword(account) }
        listener.onProgress(1)
        return hashed
      }

      /** Checks some rows, each also against those before it when `temporary` holds their names; those to be added are hashed. */
      const prepare = async (rows: CsvRecord[], temporary?: TemporaryFile<Candidate>) => {
        const checked: (Candidate | RefusedRow)[] = []
        for (const row of rows) {
          const candidate = await check(row)
          const faults = temporary && 'account' in candidate ? accounts.claim(temporary, candidate.account) : []
          checked.push(faults.length > 0 ? { line: row.line, faults } : candidate)
        }
        const candidates = checked.filter((row) => 'account' in row)
        const refusals = checked.filter((row) => 'faults' in row)
        // A hash is dear: not for what will not be kept.
        const isVain = mode === 'dryRun' || (mode === 'atomic' && refused + refusals.length > 0)
        listener.onProgress(isVain ? rows.length : refusals.length)
        const hashed = isVain ? [] : await queue.addAll(candidates.map((candidate) => () => hashPassword(candidate)))
        return { hashed, refusals }
      }

      const write = async (repositories: Repositories, candidates: Candidate[]) => {
        const refusals: RefusedRow[] = []
        const ids = await accounts.writeMany(
          repositories,
          candidates.map(({ account }) => account),
        )
        for (const [index, { line, account }] of candidates.entries()) {
          if (ids[index] !== undefined) continue
          refusals.push({ line, faults: await faultsOf(() => accounts.checkTaken(repositories.users, account)) })
        }
        return { ids: ids.filter((id) => id !== undefined), refusals }
      }

      const importEach = async () => {
        listener.onStart(count)
        for await (const rows of inBatches(rowsOf(file))) {
          if (signal?.aborted) return
          const { hashed, refusals } = await prepare(rows)
          const written = await pauseAfter(() => db.transaction((inside) => write(inside, hashed)))
          added += written.ids.length
          refuse([...refusals, ...written.refusals])
        }
      }

      /** Checks everything first, by reading only, so that whoever is refused is nearly always known before anybody is added. */
      const importTogether = async () => {
        listener.onStart(mode === 'dryRun' ? count : 2 * count)
        const temporary = db.openTemporaryFile<Candidate>()
        try {
          for await (const rows of inBatches(rowsOf(file))) {
            if (signal?.aborted) return
            const { hashed, refusals } = await prepare(rows, temporary)
            refuse(refusals)
            temporary.add(hashed)
          }
          if (mode === 'dryRun' || refused > 0) return
          added = await wholeImport(temporary.batches(batchSize), async (inside, candidates) => {
            const { ids, refusals } = await write(inside, candidates)
            refuse(refusals)
            listener.onProgress(candidates.length)
            return signal?.aborted || refused > 0 ? undefined : ids
          })
        } finally {
          temporary.close()
        }
      }

      await (mode === 'each' ? importEach() : importTogether())
      return { rows: count, added, refused, interrupted: signal?.aborted ?? false }
    },
  }
}
