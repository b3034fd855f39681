import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { clientGone } from '../../../lib/client-gone.js'
import { languageOf } from '../../../lib/language.js'
import { sendFile } from '../../../lib/send-file.js'
import { ref } from '../../../schemas/ref.js'
import { Workbook } from '../../../schemas/user-files.js'
import { CompatExportRequest } from '../schemas/shared.js'
import { labelOfValue } from '../words.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/api/excel/export/sys_user_export',
    {
      config: {
        access: 'system:user:list',
        errors: ['too_many_requests'],
        envelope: false,
        answerHeaders: ['Content-Disposition'],
      },
      schema: {
        operationId: 'exportUsersAsWorkbook',
        tags: ['compat'],
        summary: 'All users of the list as an .xlsx workbook',
        description:
          '`GET /system/user/export` as a workbook, with the filters in the body, and the column names and the labels of `userType`, `userStatus` and `gender` in the language of the answer. It can be imported by `POST /system/user/import`, in any language.',
        body: ref(CompatExportRequest),
        response: { 200: Workbook },
      },
    },
    async (request, reply) => {
      const query = app.compat.readUnit(request.body)
      const language = languageOf(request)
      const asked = { actor: actorOf(request), query, signal: () => clientGone(reply), language, labelOf: labelOfValue }
      return sendFile(reply, await app.userFiles.exportAs('xlsx', asked))
    },
  )

  app.get(
    '/api/excel/template/sys_user_import',
    {
      exposeHeadRoute: false,
      config: {
        access: 'system:user:add',
        errors: ['invalid_request'],
        envelope: false,
        answerHeaders: ['Content-Disposition'],
      },
      schema: {
        operationId: 'getUserImportTemplate',
        tags: ['compat'],
        summary: 'A workbook to fill in for an import of users',
        description:
          'It has the column names in the language of the answer, and one row as an example, which an import skips while it is unchanged.',
        response: { 200: Workbook },
      },
    },
    async (request, reply) => sendFile(reply, await app.userFiles.importTemplate(languageOf(request), 'xlsx')),
  )
}

export default route
