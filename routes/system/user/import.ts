import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import { clientGone } from '../../../lib/client-gone.js'
import { languageOf } from '../../../lib/language.js'
import { importColumnsInWords } from '../../../schemas/import-columns.js'
import { ref } from '../../../schemas/ref.js'
import { UserImportQuery, UserImportReport } from '../../../schemas/user-files.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/import',
    {
      config: {
        access: 'system:user:add',
        errors: ['too_many_requests'],
        upload: ['multipart/form-data', 'text/csv'],
      },
      schema: {
        operationId: 'importUsers',
        tags: ['users'],
        summary: 'Add the users of a file',
        description:
          'Adds the users of a CSV file, all or none: UTF-8, with commas, semicolons or tabs between its cells; those that are missing at the end of a row are empty. `GET /system/user/import/template` is a file to fill in. The file is the field `file` of a form, or the body itself; at most 64 MiB. An .xlsx workbook is read, too: its first sheet, at most 5 MiB (64 MiB unpacked), 50,000 rows and 100 columns. Its first line names the columns, in any order, by these names or their Chinese labels, each once: ' +
          importColumnsInWords +
          '; only `username` is required. `userType`, `userStatus` and `gender` are numbers, `forcePasswordChange` is `true` or `false`; the labels of the admin console are taken as well, in English and Chinese, whatever the language of the request: `User` or `普通用户`, `Yes` or `是`. `="00123"` is read as `00123`, and `13800138000.0` as a phone number without the fraction. Cells without a value count nowhere, and the example of a template is skipped while it is unchanged. A caller adds users to its own tenant, a system administrator to all; nobody adds a user type above the own or gives a role that is more than it may give; `forcePasswordChange` `false` needs `system:user:reset`. Without the permission `system:user:contact` a dry run does not compare contacts with those of other users (`contactsCompared` is false), and a file with a contact that another user has is refused as a whole, without the row, at most 20 times an hour. A user sends one file at a time, and a tenant runs one import at a time; an upload that brings less than 20 KiB in 20 seconds is ended (408). The users are there when the answer comes; with many passwords that takes long, about a second for each hundred. Closing the connection cancels the import.',
        querystring: UserImportQuery,
        response: { 200: ref(UserImportReport) },
      },
    },
    (request, reply) =>
      app.userFiles.importUsers({
        actor: actorOf(request),
        request: request.raw,
        language: languageOf(request),
        dryRun: request.query.dryRun === 'true',
        invite: request.query.invite === 'true',
        gone: clientGone(reply),
      }),
  )
}

export default route
