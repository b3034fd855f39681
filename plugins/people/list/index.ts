import fp from 'fastify-plugin'
import { createObservers } from '../../../lib/observers.js'
import { createLargeListLog } from './large-list-log.js'
import { createUserList } from './user-list.js'

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
  {
    name: 'people/list',
    dependencies: ['identity/contacts', 'run/clock', 'run/config', 'run/database', 'run/lists', 'run/time-zone'],
  },
)
