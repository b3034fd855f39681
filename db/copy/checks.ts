import type { Kysely } from 'kysely'
import { OperatorError } from '../../lib/operator-error.js'
import type { Engine } from '../port.js'
import type { ReportProgress } from '../progress.js'
import { migrate, ofLaterVersion, schemaState } from '../migrate.js'
import { findGoneGuests } from '../gone-guests.js'
import { isServed, refuseMoved } from '../marks.js'
import type { Tables } from '../tables.js'
import { hasRows } from './rows.js'
import { keptTables } from '../repositories/kept.js'
import type { CopiedTable } from './tables.js'

export const nothingCopied = 'Nothing has been copied.'

const laterVersion = (name: string, later: string[]): OperatorError =>
  new OperatorError(`${ofLaterVersion(name, later)} ${nothingCopied}`)

/** The target cannot have tables that no migration of this version creates. */
const refuseGoneGuests = async (source: Engine, name: string): Promise<void> => {
  const [gone] = await findGoneGuests(source)
  if (!gone) return
  throw new OperatorError(
    `${name} has tables of \`${gone.guest}\` (${gone.tables.join(', ')}), which this version does not have, and they would be lost. ` +
      `Copy with a version that has it, then install this one; or drop these tables, if nobody needs them. ${nothingCopied}`,
  )
}

/** Throws unless the source has the schema of this version, and its data have not been moved. */
export const checkSource = async (source: Engine, name: string): Promise<void> => {
  const state = await schemaState(source)
  if (state.kind === 'none') throw new OperatorError(`${name} is not a database of Rollcall. ${nothingCopied}`)
  if (state.kind === 'later') throw laterVersion(name, state.later)
  if (state.kind === 'current') {
    await refuseGoneGuests(source, name)
    return refuseMoved(source.db, name)
  }
  throw new OperatorError(
    `${name} is of an earlier version of Rollcall (without ${state.pending.join(', ')}). ` +
      `Run \`rollcall migrate\` with DATABASE_URL set to it first. ${nothingCopied}`,
  )
}

/** Throws when a server uses the source: what it writes during the copy would be lost. */
export const refuseServed = async (source: Engine, name: string): Promise<void> => {
  if (!(await isServed(source.db))) return
  throw new OperatorError(
    `A server uses ${name}, or was killed less than 150 seconds ago. Stop all servers first, or use --keep for a copy beside a database that stays in use. ${nothingCopied}`,
  )
}

/** Throws when one of the tables has rows. */
export const refuseData = async (
  target: Kysely<Tables>,
  name: string,
  tables: readonly CopiedTable[] = keptTables,
): Promise<void> => {
  for (const table of tables) {
    if (!(await hasRows(target, table))) continue
    throw new OperatorError(`${name} has data already (table ${table.name}). Name an empty database. ${nothingCopied}`)
  }
}

/** Gives the target the schema of this version. Throws, with nothing changed, when it has data or is of a later version. */
export const prepareTarget = async (target: Engine, name: string, progress: ReportProgress): Promise<void> => {
  const state = await schemaState(target)
  if (state.kind === 'later') throw laterVersion(name, state.later)
  if (state.kind !== 'none') {
    // An earlier version may lack other tables; wherever there is data, there is a tenant.
    await refuseData(
      target.migrating,
      name,
      keptTables.filter(({ name }) => name === 'tenants'),
    )
  }
  await migrate(target, { progress })
}
