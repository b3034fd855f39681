import { Kysely, PostgresAdapter, PostgresIntrospector } from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from '../tables.js'
import { PostgresDriver } from './driver.js'
import { PortableQueryCompiler } from './query-compiler.js'
import type { StatementNames } from './statement-names.js'

/** A statement fails when the server has not answered within `answerTimeout` milliseconds. */
export const createKysely = (pool: Pool, names: StatementNames, answerTimeout?: number): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PostgresDriver(pool, names, answerTimeout),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PortableQueryCompiler(),
    },
  })
