import fp from 'fastify-plugin'
import { createObservers } from '../../../lib/observers.js'
import type { Clock } from '../../../lib/clock.js'
import { createUserList } from './user-list.js'

const hour = 3600 * 1000
const toMiB = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

/** Writes one line an hour while lists find no room in memory: each of their pages is then built from all users. */
const createLargeListLog = (log: { warn(details: object, message: string): void }, clock: Clock) => {
  let toldUntil = -Infinity
  return (size: number, memory: number): void => {
    const now = clock.now()
    if (now < toldUntil) return
    toldUntil = now + hour
    const details = { listMiB: toMiB(size), memoryMiB: toMiB(memory) }
    log.warn(
      details,
      'a list of users does not fit into its memory and is read for each page: raise userList.memoryMiB',
    )
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    userList: ReturnType<typeof createUserList> & {
      /** Calls a listener for each list that finds no room in memory. */
      onTooLarge: (listener: () => void) => void
    }
  }
}

export default fp(
  async (app) => {
    const { memoryMiB } = app.installation.settings.userList
    const tooLarge = createObservers<[]>()
    const tellOfLargeList = createLargeListLog(app.log, app.clock)
    const list = app.db.openUserList({
      listMemory: memoryMiB === null ? undefined : memoryMiB * 2 ** 20,
      onTooLarge(size, memory) {
        tooLarge.tell()
        tellOfLargeList(size, memory)
      },
    })
    app.addHook('onClose', () => list.close())
    const { readPhone } = app.contacts
    app.decorate('userList', {
      ...createUserList(list, app.lists.beginWaiting, { readPhone, timeZone: app.timeZone }, app.clock),
      onTooLarge: tooLarge.add,
    })
  },
  { name: 'people/list' },
)
