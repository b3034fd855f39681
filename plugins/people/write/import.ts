import { setImmediate } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Repositories } from '../../../db/index.js'
import type { NewUser } from '../../../db/repositories/users.js'
import type { TemporaryFile } from '../../../db/temporary-file.js'
import type { Needs } from '../../../lib/needs.js'
import type { Fault } from '../../../lib/violations.js'
import { createAccounts, faultsOf, type AccountNeeds, type CheckedAccount, type ExaminedAccount } from './account.js'
import { csvFileAt, withStoredCsv, type CsvFile, type CsvStream } from './csv-files.js'
import { readCsv, type CsvRecord } from './csv.js'
import type { EndedImports } from './ended-imports.js'
import { checkFree, type UniqueNames } from './free-names.js'
import type { Lookups } from './lookups.js'
import { readRow } from './import-columns.js'
import { batchSize, checkSource, inBatches, rowsOf, type ImportSource } from './import-file.js'
import { narrowLookups, type ImportRights } from './import-rights.js'
import { createAtomicImport } from './atomic-import.js'
import { pauseAfter } from './pause-after.js'

export interface ImportOptions {
  /** Id or name of the tenant for rows without a tenant. */
  tenant?: string | undefined
  /** For rows with a password and without `forcePasswordChange`. */
  forcePasswordChange: boolean
  /** `each` adds all valid rows, `atomic` all rows or none, `dryRun` none. */
  mode: 'each' | 'atomic' | 'dryRun'
  /** What may be added; absent means everything. */
  rights?: ImportRights | undefined
  /**
   * Contacts of other users are a secret: rows are not refused for them. A dry run does not compare them; otherwise the whole
   * table is refused (`contactTaken`). Not for `each`.
   */
  hidesContacts?: boolean | undefined
  /** Called in each transaction that adds users, with their ids. */
  onAdded?: ((inside: Repositories, ids: number[]) => Promise<void>) | undefined
  /** Called with the number of added users: in the transaction that makes an atomic import final, or at the end of `each`. */
  onKept?: ((inside: Pick<Repositories, 'auditTrail'>, added: number) => Promise<void>) | undefined
  /** Whether a user without a fault will be able to sign in. Those who will not are counted (`withoutWayIn`), and the first ones named. */
  hasWayIn?: ((user: NewUser) => Promise<boolean>) | undefined
  /** Rows checked in one go, which `each` also writes in one go; fewer where requests are answered by the same process. */
  batchSize?: number | undefined
  /** Cancels the import. With `each` the users added so far stay. */
  signal?: AbortSignal | undefined
}

export interface RefusedRow {
  line: number
  faults: Fault[]
}

export interface ImportListener {
  /** The file is well-formed; at most `steps` steps will follow. */
  onStart: (steps: number) => void
  onProgress: (steps: number) => void
  onRefused: (row: RefusedRow) => void
}

export interface Candidate {
  line: number
  account: CheckedAccount
}

/** Users that are named of those who will not be able to sign in. */
const maxNamed = 10

/** Calls `find` once for each key, unless it throws. */
const memoize = <K extends unknown[], T>(find: (...key: K) => Promise<T>) => {
  const found = new Map<string, T>()
  return async (...key: K): Promise<T> => {
    const name = JSON.stringify(key)
    if (found.has(name)) return found.get(name) as T
    const value = await find(...key)
    found.set(name, value)
    return value
  }
}

/** A row, with what is wrong with it. */
type CheckedRow = RefusedRow & ExaminedAccount

const byLine = (one: RefusedRow, other: RefusedRow) => one.line - other.line

export const createImport = (needs: AccountNeeds & Needs<'db'>, lookups: Lookups, endedImports: EndedImports) => {
  const { db, passwords, clock } = needs
  const atomicImport = createAtomicImport(needs, endedImports)

  const importTable = async (source: ImportSource, options: ImportOptions, listener: ImportListener) => {
    const { mode, signal, rights, hidesContacts, batchSize: size = batchSize } = options
    const { columns, count } = await checkSource(source, rights === undefined)
    await endedImports.removeEnded(clock.now(), Infinity)
    const limited = narrowLookups(lookups, rights)
    const accounts = createAccounts(needs, {
      findTenant: memoize(limited.findTenant),
      findTenantNamed: memoize(limited.findTenantNamed),
      knownRole: memoize(limited.knownRole),
    })
    // As many jobs as hash threads: more would only fill the hash queue.
    const queue = new PQueue({ concurrency: passwords.capacity })
    // A check asks the database, which can be far away; the other connections are for other requests.
    const checks = new PQueue({ concurrency: 4 })
    let added = 0
    let refused = 0
    let contactsTaken = 0
    let authenticatorApps = 0
    const withoutWayIn = { count: 0, names: [] as string[] }

    const refuse = (rows: RefusedRow[]) => {
      refused += rows.length
      for (const row of rows.sort(byLine)) listener.onRefused(row)
    }

    /** Does the same work whether a hidden contact is taken or not, so that the time tells nothing either. */
    const findTaken = async (users: Repositories['users'], names: UniqueNames): Promise<Fault[]> => {
      if (!hidesContacts) return faultsOf(() => checkFree(users, names))
      const { tenantId, username, phone, email } = names
      const faults = await faultsOf(() => checkFree(users, { tenantId, username }))
      if (mode === 'dryRun') return faults
      if ((await faultsOf(() => checkFree(users, { tenantId, phone, email }))).length > 0) contactsTaken++
      return faults
    }

    const check = async ({ line, cells }: CsvRecord): Promise<CheckedRow> => {
      const { account: read, faults } = readRow(columns, cells)
      const { tenant = options.tenant, password, userType, forcePasswordChange } = read
      faults.push(...(await faultsOf(async () => rights?.checkType(userType))))
      faults.push(...(await faultsOf(async () => rights?.checkKeepsPassword(forcePasswordChange))))
      const mustChange = password !== undefined && options.forcePasswordChange
      const examined = await accounts.examine({ forcePasswordChange: mustChange, ...read, tenant }, faults)
      if (examined.names) faults.push(...(await findTaken(db.users, examined.names)))
      return { line, faults, ...examined }
    }

    const countWithoutWayIn = async ({ account: { user, password } }: Candidate) => {
      // A password that is still to be hashed.
      const passwordHash = user.passwordHash ?? (password === undefined ? null : '')
      if (!options.hasWayIn || (await options.hasWayIn({ ...user, passwordHash }))) return
      withoutWayIn.count++
      if (withoutWayIn.names.length < maxNamed) withoutWayIn.names.push(user.username)
    }

    const hashPassword = async ({ line, account }: Candidate): Promise<Candidate> => {
      const hashed = { line, account: await accounts.hashPassword(account) }
      listener.onProgress(1)
      return hashed
    }

    /** Checks rows, also against earlier rows of the file, and hashes the passwords of the valid ones. */
    const prepare = async (rows: CsvRecord[], temporary: TemporaryFile<Candidate>) => {
      // The checks may all run at once without it: an engine can answer synchronously.
      await setImmediate()
      const checked = await checks.addAll(rows.map((row) => () => check(row)))
      // In the order of the file. A row that is refused for something else has its names, too: it will be mended.
      for (const { line, names, faults } of checked) if (names) faults.push(...accounts.claim(temporary, names, line))
      const candidates = checked.flatMap(({ line, account, faults }) =>
        account && faults.length === 0 ? [{ line, account }] : [],
      )
      for (const candidate of candidates) await countWithoutWayIn(candidate)
      const refusals = checked.flatMap(({ line, faults }) => (faults.length > 0 ? [{ line, faults }] : []))
      // Hashing is expensive: skipped when nothing will be written.
      const skipsHashing = mode === 'dryRun' || (mode === 'atomic' && refused + refusals.length > 0)
      listener.onProgress(skipsHashing ? rows.length : refusals.length)
      const hashed = skipsHashing
        ? []
        : await queue.addAll(candidates.map((candidate) => () => hashPassword(candidate)))
      return { hashed, refusals }
    }

    const write = async (repositories: Repositories, candidates: Candidate[]) => {
      const refusals: RefusedRow[] = []
      const ids = await accounts.writeMany(
        repositories,
        candidates.map(({ account }) => account),
      )
      for (const [index, { line, account }] of candidates.entries()) {
        if (ids[index] !== undefined) {
          if (account.app) authenticatorApps++
          continue
        }
        const faults = await findTaken(repositories.users, account.user)
        if (faults.length > 0 || contactsTaken === 0) refusals.push({ line, faults })
      }
      const added = ids.filter((id) => id !== undefined)
      await options.onAdded?.(repositories, added)
      return { ids: added, refusals }
    }

    const importEach = async (temporary: TemporaryFile<Candidate>) => {
      listener.onStart(count)
      for await (const rows of inBatches(rowsOf(source, columns), size)) {
        if (signal?.aborted) break
        const { hashed, refusals } = await prepare(rows, temporary)
        const written = await pauseAfter(() => db.transaction((inside) => write(inside, hashed), {}))
        added += written.ids.length
        refuse([...refusals, ...written.refusals])
      }
      if (added > 0) await options.onKept?.(db, added)
    }

    /** Checks all rows before the first write, so that nearly all refusals are known before a user is added. */
    const importAtomically = async (temporary: TemporaryFile<Candidate>) => {
      listener.onStart(mode === 'dryRun' ? count : 2 * count)
      for await (const rows of inBatches(rowsOf(source, columns), size)) {
        if (signal?.aborted) return
        const { hashed, refusals } = await prepare(rows, temporary)
        refuse(refusals)
        temporary.add(hashed)
      }
      if (mode === 'dryRun' || refused > 0 || contactsTaken > 0) return
      const add = async (inside: Repositories, candidates: Candidate[]) => {
        const { ids, refusals } = await write(inside, candidates)
        refuse(refusals)
        listener.onProgress(candidates.length)
        return signal?.aborted || refused > 0 || contactsTaken > 0 ? undefined : ids
      }
      added = await atomicImport(temporary, add, options.onKept)
    }

    const temporary = await db.openTemporaryFile<Candidate>()
    try {
      await (mode === 'each' ? importEach(temporary) : importAtomically(temporary))
    } finally {
      temporary.close()
    }
    // Only when nothing else is wrong: see `hidesContacts`.
    return {
      rows: count,
      added,
      refused,
      ...(options.hasWayIn ? { withoutWayIn: withoutWayIn.count, namesWithoutWayIn: withoutWayIn.names } : {}),
      ...(hidesContacts ? { contactTaken: contactsTaken > 0 && refused === 0 } : {}),
      ...(added > 0 && authenticatorApps > 0 ? { authenticatorApps } : {}),
      interrupted: signal?.aborted ?? false,
    }
  }

  return {
    /**
     * Adds the users of a table, of the CSV file at a path, or of one that comes once only, with the checks of `addUser`; memory use does
     * not grow with the table. Resolves to the numbers of added and refused rows. Throws a `FileFault`, and writes nothing, if the table
     * cannot be read.
     */
    importUsers(from: ImportSource | string | CsvStream, options: ImportOptions, listener: ImportListener) {
      if (typeof from === 'object' && 'records' in from) return importTable(from, options, listener)
      const importFile = (file: CsvFile) =>
        importTable({ name: file.name, records: () => readCsv(file) }, options, listener)
      return typeof from === 'string' ? importFile(csvFileAt(from)) : withStoredCsv(from, importFile)
    },

    /** A CSV file as a table. */
    readCsv,
  }
}
