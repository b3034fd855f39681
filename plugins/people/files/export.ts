import { Readable } from 'node:stream'
import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { labelOf } from '../../../schemas/column-labels.js'
import type { Language } from '../../../schemas/problems.js'
import { exportColumns, type UserQuery, type UserRecord } from '../../../schemas/user.js'
import { valueLabelOf } from '../../../schemas/value-labels.js'
import type { Actor } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { invalidField } from '../../../lib/problem.js'
import type { Clock } from '../../../lib/clock.js'
import type { FileAnswer } from '../../../lib/send-file.js'
import type { TimeZone } from '../../../lib/time-zone.js'
import { visibleTenant } from '../../../lib/visible-tenant.js'
import type { Audit } from '../../record/audit/audit.js'
import type { AllUsers } from '../list/user-list.js'
import { cellsOf, type CellWriters } from './columns.js'
import { toCsv } from './csv.js'
import { fileTypes } from './file-types.js'
import { endWhenSlow } from './pace.js'
import type { Slots } from './slots.js'
import { toXlsx } from './xlsx.js'

type FindAll = (caller: SessionOwner, query: UserQuery, signal: () => AbortSignal) => Promise<AllUsers>

/** A request for all users of the list. */
export interface ExportRequest {
  actor: Actor<SessionOwner>
  query: UserQuery
  signal: () => AbortSignal
  /** Of the column names and labels in a workbook. */
  language: Language
  /** Labels of values in a workbook, where a front end has its own words. */
  labelOf?: typeof valueLabelOf
}

const toSheet = async function* (
  batches: AsyncIterable<UserRecord[]>,
  { language, labelOf: labelOfValue = valueLabelOf }: Pick<ExportRequest, 'language' | 'labelOf'>,
  time: CellWriters['time'],
) {
  const write: CellWriters = { time, value: (field, value) => labelOfValue(field, value, language) }
  yield [Object.keys(exportColumns).map((column) => labelOf(column, language))]
  for await (const users of batches) yield users.map((user) => cellsOf(user, write))
}

const formats = {
  csv: {
    type: fileTypes.csv,
    maxUsers: Infinity,
    // With the offset, because programs read these files, too.
    write: (batches: AsyncIterable<UserRecord[]>, _asked: ExportRequest, timeZone: TimeZone) =>
      toCsv(batches, (time) => timeZone.toText(Date.parse(time))),
  },
  xlsx: {
    type: fileTypes.xlsx,
    // A sheet has 2^20 rows.
    maxUsers: 2 ** 20 - 1,
    write: (batches: AsyncIterable<UserRecord[]>, asked: ExportRequest, timeZone: TimeZone) =>
      toXlsx(toSheet(batches, asked, (time) => timeZone.toLocal(Date.parse(time)))),
  },
}

/** A client that reads slowly may not keep the list of ids in memory for longer. Milliseconds. */
const maxTime = 30 * 60_000

interface Collaborators {
  db: Database
  audit: Audit
  clock: Clock
  findAll: FindAll
  slots: Slots
  timeZone: TimeZone
}

export const createExport = ({ db, audit, clock, findAll, slots, timeZone }: Collaborators) => {
  const name = (extension: string) => `users-${timeZone.toLocal(clock.now()).slice(0, 10)}.${extension}`

  /** Filters by name only: their values may be phone numbers and addresses. */
  const record = async (actor: Actor<SessionOwner>, caller: SessionOwner, query: UserQuery, total: number) => {
    const tenantId = visibleTenant(caller) ?? query.tenantId ?? null
    const target = { type: 'export', id: '', name: 'users', tenantId } as const
    await audit.record(db, actor, {
      action: 'user.export',
      target,
      after: { users: total, filters: Object.keys(query) },
    })
  }

  const exportAs = async (format: keyof typeof formats, asked: ExportRequest): Promise<FileAnswer> => {
    const { actor, query, signal } = asked
    const caller = callerOf(actor)
    const release = slots.take(caller)
    try {
      const { total, batches } = await findAll(caller, query, signal)
      const { type, maxUsers, write } = formats[format]
      if (total > maxUsers) throw invalidField('file', 'workbook_rows', { limit: maxUsers })
      await record(actor, caller, query, total)
      let produced = 0
      const count = async function* (parts: AsyncIterable<string | Uint8Array>) {
        for await (const part of parts) {
          const bytes = Buffer.from(part as string)
          produced += bytes.length
          yield bytes
        }
      }
      const content = Readable.from(count(write(batches(), asked, timeZone)), { objectMode: false })
      endWhenSlow(content, () => produced)
      const timer = setTimeout(() => content.destroy(new Error('The export took too long')), maxTime).unref()
      content.once('close', () => {
        clearTimeout(timer)
        release()
      })
      return { name: name(format), type, content }
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    /**
     * All users of the list as a file, which is read from the database as fast as the client takes it. Throws what the list
     * throws, `too_many_requests` or `unavailable` while other exports run, and for a workbook `invalid_request` for more
     * users than a sheet has rows.
     */
    exportAs,
  }
}
