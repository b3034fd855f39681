import { Readable } from 'node:stream'
import type { Database } from '../../db/index.js'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import { userTypes, type UserQuery } from '../../schemas/user.js'
import type { Actor } from '../../lib/actor.js'
import { callerOf } from '../../lib/caller-of.js'
import type { Clock } from '../../lib/clock.js'
import type { FileAnswer } from '../../lib/send-file.js'
import type { Audit } from '../audit/audit.js'
import type { AllUsers } from '../user-list/user-list.js'
import { toCsv } from './csv.js'
import type { Slots } from './slots.js'

type FindAll = (caller: SessionOwner, query: UserQuery, signal: () => AbortSignal) => Promise<AllUsers>

/** A client that reads slowly may not keep the list of ids in memory for longer. Milliseconds. */
const maxTime = 30 * 60_000

interface Collaborators {
  db: Database
  audit: Audit
  clock: Clock
  findAll: FindAll
  slots: Slots
}

export const createExport = ({ db, audit, clock, findAll, slots }: Collaborators) => {
  const name = (extension: string) => `users-${new Date(clock.now()).toISOString().slice(0, 10)}.${extension}`

  /** Filters by name only: their values may be phone numbers and addresses. */
  const record = async (actor: Actor<SessionOwner>, caller: SessionOwner, query: UserQuery, total: number) => {
    const isBound = caller.user.userType !== userTypes.systemAdmin
    const tenantId = isBound ? caller.tenant.id : (query.tenantId ?? null)
    const target = { type: 'export', id: '', name: 'users', tenantId } as const
    await audit.record(db, actor, {
      action: 'user.export',
      target,
      after: { users: total, filters: Object.keys(query) },
    })
  }

  return {
    /**
     * All users of the list as a file, which is read from the database as fast as the client takes it. Throws what the list
     * throws, and `too_many_requests` or `unavailable` while other exports run.
     */
    async exportCsv(actor: Actor<SessionOwner>, query: UserQuery, signal: () => AbortSignal): Promise<FileAnswer> {
      const caller = callerOf(actor)
      const release = slots.take(caller.user.id)
      try {
        const { total, batches } = await findAll(caller, query, signal)
        await record(actor, caller, query, total)
        const content = Readable.from(toCsv(batches()))
        const timer = setTimeout(() => content.destroy(new Error('The export took too long')), maxTime).unref()
        content.once('close', () => {
          clearTimeout(timer)
          release()
        })
        return { name: name('csv'), type: 'text/csv; charset=utf-8', content }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
