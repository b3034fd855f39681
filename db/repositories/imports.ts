import type { Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import { compileInsert } from '../query.js'
import type { ImportUserTable, Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  imports: { key: ['id'] },
  import_users: { key: ['import_id', 'user_id'] },
} satisfies Keeps

const insertUsers = compileInsert((db, rows: ImportUserTable[]) => db.insertInto('import_users').values(rows))

/**
 * Imports that are kept as a whole or not at all. A large one adds its users in many short transactions, so that other
 * writers do not wait for a long one, and records the users it has added, so that it can be undone until it is kept.
 */
export const createImportRepository = (db: Kysely<Tables>) => {
  const change = async (id: number, values: { state?: 'kept' | 'given up'; renew_time?: number }): Promise<boolean> => {
    const query = db.updateTable('imports').set(values).where('id', '=', id).where('state', '=', 'writing')
    return (await query.executeTakeFirst()).numUpdatedRows > 0n
  }

  return {
    /** Begins an import. Resolves to its id. */
    async begin(now: number): Promise<number> {
      const row = { state: 'writing' as const, renew_time: now }
      const { id } = await db.insertInto('imports').values(row).returning('id').executeTakeFirstOrThrow()
      return id
    },

    /** Records added users, in the transaction that adds them. False when the import has been given up. */
    async record(id: number, userIds: number[], now: number): Promise<boolean> {
      await insertUsers(
        db,
        userIds.map((userId) => ({ import_id: id, user_id: userId })),
      )
      return change(id, { renew_time: now })
    },

    /** Keeps all users. False when the import has been given up. */
    keep: (id: number): Promise<boolean> => change(id, { state: 'kept' }),

    /** Gives an import up. Does nothing when it has been kept. */
    giveUp: (id: number): Promise<boolean> => change(id, { state: 'given up' }),

    /** Imports that are neither kept nor given up and have made no progress since `time`: their process has ended. */
    async stale(time: number): Promise<number[]> {
      const query = db.selectFrom('imports').select('id').where('state', '=', 'writing')
      return (await query.where('renew_time', '<', time).execute()).map(({ id }) => id)
    },

    /** Imports that have ended and still have something to be removed. */
    async ended(): Promise<{ id: number; isKept: boolean }[]> {
      const rows = await db.selectFrom('imports').select(['id', 'state']).where('state', '!=', 'writing').execute()
      return rows.map(({ id, state }) => ({ id, isKept: state === 'kept' }))
    },

    /**
     * Removes up to `limit` records of an ended import, and their users when it was given up; when none is left, the
     * import itself; the rows of the audit trail about adding them go, too. Resolves to the number of records, 0 at the end.
     * Must run in a transaction.
     */
    async remove({ id, isKept }: { id: number; isKept: boolean }, limit: number): Promise<number> {
      const query = db.selectFrom('import_users').select('user_id').where('import_id', '=', id)
      const ids = (await query.orderBy('user_id').limit(limit).execute()).map((row) => row.user_id)
      if (ids.length === 0) {
        await db.deleteFrom('imports').where('id', '=', id).execute()
        return 0
      }
      if (!isKept) {
        await db.deleteFrom('users').where('id', 'in', ids).execute()
        // An import that is undone has added nobody.
        const targets = db.deleteFrom('audit_trail').where('target_id', 'in', ids.map(String))
        await targets.where('target_type', '=', 'user').where('action', '=', 'user.add').execute()
      }
      await db.deleteFrom('import_users').where('import_id', '=', id).where('user_id', 'in', ids).execute()
      return ids.length
    },
  }
}
