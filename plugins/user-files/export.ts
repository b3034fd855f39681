import { Readable } from 'node:stream'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { UserQuery } from '../../schemas/user.js'
import type { Clock } from '../../lib/clock.js'
import type { FileAnswer } from '../../lib/send-file.js'
import type { AllUsers } from '../user-list/user-list.js'
import { toCsv } from './csv.js'
import type { Slots } from './slots.js'

type FindAll = (caller: SessionOwner, query: UserQuery, signal: () => AbortSignal) => Promise<AllUsers>

/** A client that reads slowly may not keep the list of ids in memory for longer. Milliseconds. */
const maxTime = 30 * 60_000

export const createExport = (findAll: FindAll, slots: Slots, clock: Clock) => {
  const name = (extension: string) => `users-${new Date(clock.now()).toISOString().slice(0, 10)}.${extension}`

  return {
    /**
     * All users of the list as a file, which is read from the database as fast as the client takes it. Throws what the list
     * throws, and `too_many_requests` or `unavailable` while other exports run.
     */
    async exportCsv(caller: SessionOwner, query: UserQuery, signal: () => AbortSignal): Promise<FileAnswer> {
      const release = slots.take(caller.user.id)
      try {
        const { batches } = await findAll(caller, query, signal)
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
