import fp from 'fastify-plugin'
import { createExport } from './export.js'
import { importColumns } from '../accounts/import-columns.js'
import { checkGives, checkGivesType, checkKeepsPassword, isVisible } from '../management/policy.js'
import { createUserImport } from './import.js'
import { createImportLimits } from './import-limits.js'
import { createSlots } from './slots.js'
import { createOpenWorkbook } from './workbook.js'

declare module 'fastify' {
  interface FastifyInstance {
    userFiles: ReturnType<typeof createExport> & ReturnType<typeof createUserImport>
  }
}

/** Exports at the same time: each keeps the ids of its users in memory, 4 MB for a million. */
const maxExports = 4

/** Bytes of an upload. */
const limits = { text: 64 * 2 ** 20, zip: 5 * 2 ** 20, old: 5 * 2 ** 20 }

/** Users as files: exports and imports over HTTP. */
export default fp(
  async (app) => {
    const { accounts, audit, clock, db, management, userList } = app
    const exports = createSlots({ inAll: maxExports, retryAfter: 5 })
    const imports = createSlots({ inAll: 1, retryAfter: 30 })
    const closing = new AbortController()
    app.addHook('preClose', async () => closing.abort())
    const openWorkbook = app.installation.settings.compat.enabled ? createOpenWorkbook(db) : undefined
    const limitsFor = createImportLimits({ isVisible, checkGives, checkGivesType, checkKeepsPassword }, db.roles)
    app.decorate('userFiles', {
      ...createExport({ db, audit, clock, findAll: userList.all, slots: exports, importColumns }),
      ...createUserImport({
        audit,
        accounts,
        management,
        slots: imports,
        closing: closing.signal,
        limits,
        limitsFor,
        openWorkbook,
      }),
    })
  },
  { name: 'user-files', dependencies: ['accounts', 'audit', 'clock', 'config', 'database', 'management', 'user-list'] },
)
