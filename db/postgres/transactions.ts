import { setTimeout } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { DatabaseError } from 'pg'
import type { Locks } from '../locks.js'
import { compileQuery } from '../query.js'
import type { Tables } from '../tables.js'
import { isStalePlan } from './connection.js'
import type { RunInTransaction } from './dialect.js'

const maxReruns = 5
/** The longest pause before the first rerun; it doubles with each. Milliseconds. */
const firstPause = 5

/** Two transactions met. Nothing was committed, and another run meets the situation after the other one. */
const conflicts = new Set(['40001', '40P01'])
/** Another transaction has added the row since this one looked for it; the next run finds it. */
const uniqueViolation = '23505'

/** The number of the advisory lock of `administration`. Any number will do, except Kysely's for migrations. */
const administration = 5_282_017_003

const lockAdministration = compileQuery((db, { number }: { number: number }) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(${number}::bigint)`.as('lock')),
)
const useTenant = compileQuery((db, { id }: { id: number }) =>
  db.selectFrom('tenants').select('id').where('id', '=', id).forKeyShare(),
)
const changeTenant = compileQuery((db, { id }: { id: number }) =>
  db.selectFrom('tenants').select('id').where('id', '=', id).forUpdate(),
)
const lockUser = compileQuery((db, { id }: { id: number }) =>
  db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate(),
)
const lockSession = compileQuery((db, { id }: { id: string }) =>
  db.selectFrom('sessions').select('id').where('id', '=', id).forNoKeyUpdate(),
)

/** Takes the locks in one order, so that no two transactions wait for each other. */
const take = async (db: Kysely<Tables>, locks: Locks): Promise<void> => {
  // They are sent together, and the server takes one after the other.
  await Promise.all([
    locks.administration && lockAdministration(db, { number: administration }),
    locks.tenant !== undefined && useTenant(db, { id: locks.tenant }),
    locks.changedTenant !== undefined && changeTenant(db, { id: locks.changedTenant }),
    locks.user !== undefined && lockUser(db, { id: locks.user }),
    locks.session !== undefined && lockSession(db, { id: locks.session }),
  ])
}

/** The lock that only one transaction can hold. */
const exclusiveLock = ({ administration, user, session }: Locks): string | undefined => {
  if (administration) return 'administration'
  if (user !== undefined) return `user ${user}`
  return session === undefined ? undefined : `session ${session}`
}

/**
 * Transactions of this process that need the same lock wait here, one after the other: waiting in the server, each would keep
 * a connection from all other requests.
 */
const createQueues = () => {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string | undefined, work: () => Promise<T>): Promise<T> => {
    if (key === undefined) return work()
    const run = (last.get(key) ?? Promise.resolve()).then(work)
    const settled = run.catch(() => undefined)
    last.set(key, settled)
    try {
      return await run
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}

const mayRunAgain = (error: unknown, reruns: number): boolean => {
  if (!(error instanceof DatabaseError)) return false
  if (error.code === uniqueViolation) return reruns < 1
  return (conflicts.has(error.code ?? '') || isStalePlan(error)) && reruns < maxReruns
}

/**
 * Runs `work` in a transaction with its locks. Each statement sees what was committed before it, so that the first query
 * after the locks sees the work of all earlier holders. Only errors with which the server has rolled back lead to another
 * run; after a lost connection the transaction may have been committed.
 */
const runTransaction = async <T>(
  run: RunInTransaction,
  work: (transaction: Kysely<Tables>) => Promise<T>,
  locks: Locks,
): Promise<T> => {
  for (let reruns = 0; ; reruns++) {
    try {
      return await run(async (transaction) => {
        await take(transaction, locks)
        return work(transaction)
      })
    } catch (error) {
      if (!mayRunAgain(error, reruns)) throw error
    }
    await setTimeout(Math.random() * firstPause * 2 ** reruns)
  }
}

export const createTransactions = (run: RunInTransaction) => {
  const inQueue = createQueues()
  return <T>(work: (transaction: Kysely<Tables>) => Promise<T>, locks: Locks = { administration: true }): Promise<T> =>
    inQueue(exclusiveLock(locks), () => runTransaction(run, work, locks))
}
