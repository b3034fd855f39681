import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/universal'
import { test, type Test } from 'tap'
import { fromSafeCell } from '../../../lib/csv-cells.js'
import type { Cell } from '../../../plugins/people/files/format.js'
import type { Language } from '../../../schemas/problems.js'
import type { FileFormatName } from '../../../schemas/user-files.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { formats, tableIn } from '../../helpers/service/file-formats.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { askPage } from '../../helpers/service/users.js'

const start = async (t: Test) => {
  // The numbers of the examples are of other countries.
  const server = await startServer(t, { settings: { phoneRegion: 'GB' } })
  const { accessToken: token } = await server.signIn()
  return { server, token }
}

/** The cells of a file; empty ones are `null`. */
const readers: Record<FileFormatName, (content: Buffer) => Promise<Cell[][]>> = {
  csv: async (content) =>
    parse(content, { bom: true }).map((row) => row.map((cell) => (cell === '' ? null : fromSafeCell(cell)))),
  xlsx: async (content) => (await readSheet(new Uint8Array(content).buffer)) as Cell[][],
}

const templateIn = async ({ app }: TestServer, format: FileFormatName, language: Language) => {
  const { content } = await app.userFiles.importTemplate(language, format)
  const [header = [], example = []] = await readers[format](content)
  return [header, example] as const
}

const toCsv = (rows: Cell[][]) => rows.map((row) => row.map((cell) => cell ?? '').join(',')).join('\r\n')
const namesIn = async (t: Test, server: TestServer, token: string) => {
  const page = expectSuccess(t, await askPage(server, token, 'pageSize=100&orderByColumn=id&isAsc=asc'))
  return (page.records as { username: string }[]).map(({ username }) => username)
}

const rows = formats.flatMap((format) => [[format, 'en', 'zh'] as const, [format, 'zh', 'en'] as const])

for (const [format, language, other] of rows) {
  test(`the example of the template is skipped while it is unchanged, and only it: ${format}, ${language}`, async (t) => {
    const { server, token } = await start(t)
    const [header, example] = await templateIn(server, format, language)
    const [otherHeader] = await templateIn(server, format, other)
    t.notSame(header, otherHeader)
    const at = (column: string) => (language === 'en' ? header : otherHeader).indexOf(column)
    t.equal(example[at('password')], null, 'a password that everybody knows would become that of a user')
    t.equal(example[at('passwordHash')], null)
    const named = (name: string) => example.map((cell, index) => (index === at('username') ? name : cell))
    const bob = header.map((_, index) => (index === at('username') ? 'bob' : null))

    const rows = [example, bob, example]
    const headers = { 'accept-language': other }
    const report = expectSuccess(
      t,
      await importFile(server, token, await tableIn(server, format, [header, ...rows]), { headers }),
    )
    t.match(report, { success: true, rows: 1, added: 1, refused: 0, errors: [] })
    const mixed = [example, bob].map((row) => row.toReversed())
    const csv = toCsv([otherHeader.toReversed(), ...mixed.map((row) => row.map((cell) => cell && ` ${cell} `))])
    t.match(expectSuccess(t, await importFile(server, token, csv)), {
      rows: 1,
      refused: 1,
      errors: [{ rowNum: 3, field: 'username' }],
    })
    t.same(await namesIn(t, server, token), ['admin', 'bob'])

    // One cell of it has changed: it is a user as any.
    t.match(expectSuccess(t, await importFile(server, token, toCsv([header, named('carol')]))), { rows: 1, added: 1 })
    const remark = header.map((_, index) => (index === at('remark') ? 'mine' : (example[index] ?? null)))
    const changed = remark.map((cell, index) => (index === at('phone') || index === at('email') ? null : cell))
    t.match(expectSuccess(t, await importFile(server, token, toCsv([header, changed]))), { rows: 1, added: 1 })
    const name = String(example[at('username')])
    t.same(await namesIn(t, server, token), ['admin', 'bob', 'carol', name])
    const alone = expectSuccess(t, await importFile(server, token, `username\n${name}\n`))
    t.match(alone, { rows: 1, refused: 1 }, 'a user with this name is no example')
    const more = expectSuccess(
      t,
      await importFile(
        server,
        token,
        toCsv([
          [...header, 'id'],
          [...example, 7],
        ]),
        { query: 'dryRun=true' },
      ),
    )
    t.match(more, { rows: 1, refused: 1 }, 'a row with one more value is another row')
  })
}
