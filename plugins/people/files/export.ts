import { Readable } from 'node:stream'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { labelOf } from '../../../schemas/column-labels.js'
import type { Language } from '../../../schemas/problems.js'
import type { UserQuery } from '../../../schemas/user.js'
import type { FileFormatName } from '../../../schemas/user-files.js'
import { valueLabelOf } from '../../../schemas/value-labels.js'
import type { Needs } from '../../../lib/needs.js'
import type { Actor } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { invalidField } from '../../../lib/problem.js'
import type { FileAnswer } from '../../../lib/send-file.js'
import type { TimeZone } from '../../../lib/time-zone.js'
import { visibleTenant } from '../../../lib/visible-tenant.js'
import type { AllUsers } from '../list/user-list.js'
import { cellsOf, namesOf, type CellWriters } from './columns.js'
import type { Cell, FileFormat } from './format.js'
import type { Formats } from './formats.js'
import { endWhenSlow } from './pace.js'
import type { Slots } from './slots.js'

/** A request for all users of the list. */
export interface ExportRequest {
  actor: Actor<SessionOwner>
  query: UserQuery
  signal: () => AbortSignal
  /** Of the column names and labels, where people read the file. */
  language: Language
  /** Labels of values, where a front end has its own words. */
  labelOf?: typeof valueLabelOf
}

type Words = Pick<ExportRequest, 'language' | 'labelOf'>

const cellWriters: Record<FileFormat['readers'], (asked: Words, timeZone: TimeZone) => CellWriters> = {
  programs: (_asked, timeZone) => ({
    column: (column) => column,
    time: (time) => timeZone.toText(Date.parse(time)),
    value: (_field, value) => (typeof value === 'boolean' ? String(value) : value),
  }),
  people: ({ language, labelOf: labelOfValue = valueLabelOf }, timeZone) => ({
    column: (column) => labelOf(column, language),
    time: (time) => timeZone.toLocal(Date.parse(time)),
    value: (field, value) => labelOfValue(field, value, language),
  }),
}

async function* toTable(batches: ReturnType<AllUsers['batches']>, write: CellWriters): AsyncGenerator<Cell[][]> {
  yield [namesOf(write)]
  for await (const users of batches) yield users.map((user) => cellsOf(user, write))
}

/** A client that reads slowly may not keep the list of ids in memory for longer. Milliseconds. */
const maxTime = 30 * 60_000

export const createExport = (
  { audit, clock, db, timeZone, userList }: Needs<'audit' | 'clock' | 'db' | 'timeZone' | 'userList'>,
  formats: Formats,
  slots: Slots,
) => {
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

  const exportAs = async (format: FileFormatName, asked: ExportRequest): Promise<FileAnswer> => {
    const { type, maxUsers, readers, write } = formats.named(format)
    const { actor, query, signal } = asked
    const caller = callerOf(actor)
    const release = slots.take(caller)
    try {
      const { total, batches } = await userList.all(caller, query, signal)
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
      const content = Readable.from(count(write(toTable(batches(), cellWriters[readers](asked, timeZone)))), {
        objectMode: false,
      })
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
     * throws, `too_many_requests` or `unavailable` while other exports run, and `invalid_request` for a format that is not
     * there, or for more users than its files may have.
     */
    exportAs,
  }
}
