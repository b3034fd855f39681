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
    const { clock, userList } = app
    app.decorate('userFiles', createExport(userList.all, createSlots({ inAll: maxExports, retryAfter: 5 }), clock))
  },
  { name: 'user-files', dependencies: ['clock', 'user-list'] },
)
