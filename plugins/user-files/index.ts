import fp from 'fastify-plugin'
import { createExport } from './export.js'
import { createSlots } from './slots.js'

declare module 'fastify' {
  interface FastifyInstance {
    userFiles: ReturnType<typeof createExport>
  }
}

/** Exports at the same time: each keeps the ids of its users in memory, 4 MB for a million. */
const maxExports = 4

/** Users as files: exports and imports over HTTP. */
export default fp(
  async (app) => {
    const { audit, clock, db, userList } = app
    const slots = createSlots({ inAll: maxExports, retryAfter: 5 })
    app.decorate('userFiles', createExport({ db, audit, clock, findAll: userList.all, slots }))
  },
  { name: 'user-files', dependencies: ['audit', 'clock', 'database', 'user-list'] },
)
