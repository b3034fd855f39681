import type { Test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { createPostgres } from '../../helpers/databases/postgres.js'

/** A migrated database whose schema the test may change, and the URL for other connections to it. */
export const openMigrated = async (t: Test) => {
  const url = await createPostgres(t)
  const db = await openDatabase(url, '/')
  t.teardown(() => db.close())
  await db.migrate()
  return { url, db }
}
