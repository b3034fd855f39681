import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { languageOf } from '../../../lib/language.js'
import { sendFile } from '../../../lib/send-file.js'
import { UserTemplateQuery, UsersAsFile } from '../../../schemas/user-files.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/import/template',
    {
      exposeHeadRoute: false,
      config: { access: 'system:user:add', envelope: false, answerHeaders: ['Content-Disposition'] },
      schema: {
        operationId: 'getImportTemplate',
        tags: ['users'],
        summary: 'A file to fill in for an import of users',
        description:
          'A CSV file or an .xlsx workbook. It has the column names and labels in the language of the answer, and one row as an example, which an import skips while it is unchanged.',
        querystring: UserTemplateQuery,
        response: { 200: UsersAsFile },
      },
    },
    async (request, reply) =>
      sendFile(reply, await app.userFiles.importTemplate(languageOf(request), request.query.format ?? 'csv')),
  )
}

export default route
