import { maxQuiet } from '../../lib/clock.js'
import { relyingPartyOf } from '../../lib/relying-party.js'
import { toTime } from '../../lib/time-text.js'
import { existsSync } from 'node:fs'
import type { Installation } from '../../app.js'
import type { Database } from '../../db/index.js'
import { databaseFile } from '../../db/engines.js'
import { guests } from '../../guests/index.js'
import { createEncryption } from '../../plugins/run/encryption/encryption.js'
import { checkSigningKeys } from '../../plugins/sessions/tokens/signing-keys.js'
import { attempt, findingsOf, type Finding } from './finding.js'
import { checkSecondFactors } from './second-factors.js'

const minute = 60_000

const checkMigrations = async (db: Database): Promise<Finding[]> => {
  const { ok, warning, fault } = findingsOf('migrations')
  const state = await db.schemaState()
  if (state.kind === 'current') return [ok('the schema is up to date')]
  if (state.kind === 'none') return [fault('the database has no data of Rollcall yet', 'Run rollcall init.')]
  if (state.kind === 'later') {
    return [
      fault(
        `the database is of a later version (${state.later.join(', ')})`,
        'Install that version of Rollcall, or a newer one.',
      ),
    ]
  }
  const { pending } = state
  const advice =
    'Make a backup, then run rollcall migrate; the next start of the service does the same. Other commands are refused until then.'
  return [warning(`${pending.length} migrations have not run: ${pending.join(', ')}`, advice)]
}

const checkGoneGuests = async (db: Database): Promise<Finding[]> =>
  (await db.goneGuests()).map(({ guest, tables }) =>
    findingsOf('migrations').warning(
      `the database keeps tables of ${guest}, which this version does not have: ${tables.join(', ')}`,
      'They are unchanged, and a version that has it finds them again. If nobody needs them, drop them.',
    ),
  )

const checkGuests = async (db: Database, installation: Installation): Promise<Finding[]> => {
  // Their tables may be missing.
  if ((await db.schemaState()).kind !== 'current') return []
  const present = guests.filter(({ isOn }) => isOn(installation.settings))
  const found = present.map(({ name, doctor }) => attempt(name, () => doctor?.(installation, db) ?? []))
  return (await Promise.all(found)).flat()
}

const checkWrite = async (db: Database): Promise<Finding[]> => {
  const { ok } = findingsOf('database')
  const begin = performance.now()
  await db.ping()
  await db.testWrite(Date.now())
  return [ok(`reads and writes; a durable write took ${Math.ceil(performance.now() - begin)} ms`)]
}

const checkKeys = async (db: Database, { secret }: Installation): Promise<Finding[]> => {
  const { ok, fault } = findingsOf('keys')
  const keys = await db.signingKeys.list()
  if (keys.length === 0)
    return [fault('the database has no signing key', 'Run rollcall init, or start the service once.')]
  await checkSigningKeys(db.signingKeys, createEncryption(secret))
  const newest = Math.max(...keys.map(({ createTime }) => createTime))
  return [ok(`the master secret opens all signing keys (${keys.length}); the newest is of ${toTime(newest)}`)]
}

const checkClock = async (db: Database): Promise<Finding[]> => {
  const { ok, warning, fault } = findingsOf('clock')
  const now = Date.now()
  const last = await db.loginLog.last()
  if (last === undefined || Math.abs(now - last) <= 5 * minute) return [ok(`it is ${toTime(now)}`)]
  const message = `it is ${toTime(now)}; the last sign-in or refused try was at ${toTime(last)}`
  if (now < last)
    return [fault(message, 'The clock is behind, and tokens are refused, or it was ahead: set it if it is wrong.')]
  if (now - last <= maxQuiet) return [ok(message)]
  return [warning(message, 'If there was a later one, the clock is ahead: set it before you start.')]
}

const checkMove = async (db: Database): Promise<Finding[]> => {
  const to = await db.movedTo()
  if (to === undefined) return []
  const advice = 'Set DATABASE_URL (databaseUrl) to that database; to use this one again, run rollcall reopen.'
  return [findingsOf('database').fault(`the data have been moved to ${to} by rollcall copy`, advice)]
}

export const checkDatabase = async (installation: Installation): Promise<Finding[]> => {
  const { directory, settings } = installation
  const file = databaseFile(settings.databaseUrl, directory)
  const { fault } = findingsOf('database')
  if (file !== undefined && !existsSync(file)) {
    return [fault(`there is no database at ${file}`, 'Run rollcall init, restore a backup, or look at DATABASE_URL.')]
  }
  return attempt('database', async () => {
    const { openDatabase } = await import('../../db/index.js')
    const db = await openDatabase(settings.databaseUrl, directory)
    try {
      const secretAdvice = 'Without the right master secret nobody can sign in: see docs/database-file.md.'
      return [
        ...(await attempt('database', () => checkWrite(db), 'The service cannot write: look at the disk.')),
        ...(await attempt('database', () => checkMove(db))),
        ...(await attempt('migrations', () => checkMigrations(db))),
        ...(await attempt('migrations', () => checkGoneGuests(db))),
        ...(await attempt('keys', () => checkKeys(db, installation), secretAdvice)),
        ...(await attempt('clock', () => checkClock(db))),
        ...(await attempt('accounts', async () => (await import('./accounts.js')).checkAccounts(db, installation))),
        ...(await attempt('second factors', () =>
          checkSecondFactors(db, installation, Date.now(), relyingPartyOf(settings)?.rpId),
        )),
        ...(await attempt('guests', () => checkGuests(db, installation))),
      ]
    } finally {
      await db.close()
    }
  })
}
