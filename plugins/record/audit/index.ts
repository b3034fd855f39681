import fp from 'fastify-plugin'
import { createAudit, type Audit } from './audit.js'
import { createAuditPages } from './pages.js'

declare module 'fastify' {
  interface FastifyInstance {
    audit: Audit & ReturnType<typeof createAuditPages>
  }
}

export default fp(
  async (app) => {
    app.decorate('audit', {
      ...createAudit(app.clock),
      ...createAuditPages(app.db.auditTrail, app.lists.read, app.timeZone),
    })
  },
  { name: 'record/audit' },
)
