import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import { clientGone } from '../../../lib/client-gone.js'
import { languageOf } from '../../../lib/language.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { problem } from '../../../lib/problem.js'
import { sendFile } from '../../../lib/send-file.js'
import { ref } from '../../../schemas/ref.js'
import { ExportTicket, UserExportQuery, UserExportRequest, UsersAsFile } from '../../../schemas/user-files.js'

const readAsked = jsonReader(UserExportRequest)

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/export/ticket',
    {
      // Whoever has a token sends it with the download itself.
      config: { access: 'system:user:list', tokens: false },
      schema: {
        operationId: 'createExportTicket',
        tags: ['users'],
        summary: 'A ticket to download all users of the list',
        description:
          'For a link or a form, which send no Authorization header: `GET /system/user/export?ticket=…` within 60 seconds, once, answers with the users under these filters, as long as the session is live and the caller may list users.',
        body: ref(UserExportRequest),
        response: { 200: ref(ExportTicket) },
      },
    },
    async (request) => {
      // A refusal of the download would be seen by the browser only.
      app.userFiles.formats.named(request.body.format ?? 'csv')
      return app.downloadTickets.issue(callerOf(request), JSON.stringify(request.body))
    },
  )

  app.get(
    '/export',
    {
      // It would read all users only to count their bytes.
      exposeHeadRoute: false,
      config: {
        access: 'system:user:list',
        downloadTicket: true,
        errors: ['too_many_requests', 'invalid_grant'],
        envelope: false,
        answerHeaders: ['Content-Disposition'],
      },
      schema: {
        operationId: 'exportUsers',
        tags: ['users'],
        summary: 'All users of the list as a file',
        description:
          'The users of `GET /system/user/page` under the same filters, in the same order, of all pages at once; everybody from one moment. CSV is UTF-8 with a byte order mark, RFC 4180; a workbook has the column names and the labels of `userType`, `userStatus` and `gender` in the language of the answer. The file can be imported by `POST /system/user/import`. Phone and e-mail are masked, except for callers with `system:user:contact`. Text that a spreadsheet program would read as a formula follows an apostrophe, which an import takes away: `=`, `+`, `-` or `@` (also full-width) at the beginning of a cell or after a comma, a semicolon, a tab, a line break or `|`, because programs differ in what separates cells; and a tab or a line break at the beginning. A user runs one export at a time, a tenant two; a download that takes less than 20 KiB in 20 seconds while more waits is ended.',
        querystring: UserExportQuery,
        response: { 200: UsersAsFile },
      },
    },
    async (request, reply) => {
      const { ticket, ...sent } = request.query
      const asked =
        ticket === undefined || request.downloadAsked === undefined ? sent : readAsked(request.downloadAsked)
      if (!asked) throw problem('invalid_grant')
      const { format = 'csv', ...query } = asked
      const language = languageOf(request)
      const exported = { actor: actorOf(request), query, signal: () => clientGone(reply), language }
      return sendFile(reply, await app.userFiles.exportAs(format, exported))
    },
  )
}

export default route
