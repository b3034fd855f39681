import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { leaveOutWorkbooks } from '../../helpers/service/file-formats.js'
import { startServer, type Answer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'

/** The first bytes of an .xlsx workbook, and of an old or encrypted one. */
const workbooks = ['504b0304', 'd0cf11e0a1b11ae1'].map((start) => Buffer.from(`${start}00`, 'hex'))

const sentences = [
  ['en', /cannot be a workbook, because this installation has none: use CSV UTF-8$/],
  ['zh-CN', /不能是工作簿：本系统未安装工作簿功能，请使用 CSV UTF-8$/],
] as const

test('where there are no workbooks, requests for one are refused with a sentence, and CSV files are as ever', async (t) => {
  leaveOutWorkbooks(t)
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  for (const [language, sentence] of sentences) {
    const headers = { 'accept-language': language }
    const refuse = (answer: Answer, field: string) => {
      expectProblem(t, answer, 'invalid_request', [field])
      t.match(answer.body.message, sentence)
      t.match(answer.body.data.violations, [{ field, message: sentence }])
    }
    const query = { format: 'xlsx' }
    refuse(await server.call('GET', '/system/user/export', { token, headers, query }), 'format')
    refuse(await server.call('POST', '/system/user/export/ticket', { token, headers, json: query }), 'format')
    refuse(await server.call('GET', '/system/user/import/template', { token, headers, query }), 'format')
    for (const content of [...workbooks, Buffer.concat([workbooks[0] ?? Buffer.of(), Buffer.alloc(6 * 2 ** 20)])])
      refuse(await importFile(server, token, content, { headers }), 'file')
    const raw = { token, raw: workbooks[0] ?? '', headers: { ...headers, 'content-type': 'text/csv' } }
    refuse(await server.call('POST', '/system/user/import', raw), 'file')
  }
  t.match(expectSuccess(t, await importFile(server, token, 'username\nalice\n')), { added: 1 })
  t.match((await server.call('GET', '/system/user/export', { token })).text, 'alice')
  const { ticket } = expectSuccess(t, await server.call('POST', '/system/user/export/ticket', { token, json: {} }))
  t.match((await server.call('GET', '/system/user/export', { query: { ticket } })).text, 'alice')
  t.equal((await server.call('GET', '/system/user/import/template', { token })).status, 200)
})
