import fp from 'fastify-plugin'
import { checkTemporaryFolder } from '../../../lib/temporary-folder.js'
import { createCsvFormat } from './csv.js'
import { createExport } from './export.js'
import { createFormats, type Formats } from './formats.js'
import { exampleRow } from '../write/example-row.js'
import { createUserImport } from './import.js'
import { createSlots } from './slots.js'
import { createTemplates } from './template.js'
import { createTemporarySpace } from './temporary-file.js'
import { createReceiveUpload } from './upload.js'

declare module 'fastify' {
  interface FastifyInstance {
    userFiles: ReturnType<typeof createExport> &
      ReturnType<typeof createUserImport> &
      ReturnType<typeof createTemplates> & { formats: Formats }
  }
}

/** Exports keep the ids of their users in memory, 4 MB for a million. */
const exportPlaces = { inAll: 8, inTenant: 2, retryAfter: 5 }
/** A workbook takes some 80 MiB while it is read. */
const importPlaces = { inAll: 4, inTenant: 1, retryAfter: 30 }
const uploadPlaces = { inAll: 16, inTenant: 4, retryAfter: 30 }
/** Bytes of all uploads; those of one tenant are half of it at most. */
const maxTemporary = 512 * 2 ** 20

/** Users as files: exports and imports over HTTP. */
export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    const { accounts, management } = app
    const closing = new AbortController()
    const running = new Set<Promise<unknown>>()
    const inBackground = (work: Promise<unknown>): void => {
      const logged = work
        .catch((err: unknown) => app.log.error({ err }, 'invitations of imported users could not be sent'))
        .finally(() => running.delete(logged))
      running.add(logged)
    }
    app.addHook('preClose', async () => {
      closing.abort()
      await Promise.all(running)
    })
    if (answering) {
      await checkTemporaryFolder().catch((err: unknown) =>
        app.log.warn({ err }, 'temporary files cannot be written, and users cannot be imported: set TMPDIR'),
      )
    }
    const formats = createFormats(createCsvFormat(accounts))
    app.decorate('userFiles', {
      formats,
      ...createExport(app, formats, createSlots(exportPlaces)),
      ...createTemplates(formats, exampleRow),
      ...createUserImport({
        management,
        uploads: createSlots(uploadPlaces),
        slots: createSlots(importPlaces),
        closing: closing.signal,
        inBackground,
        formats,
        receiveUpload: createReceiveUpload(
          (kind) => formats.opening(kind).maxUpload[kind] ?? 0,
          createTemporarySpace(maxTemporary),
        ),
      }),
    })
  },
  { name: 'people/files' },
)
