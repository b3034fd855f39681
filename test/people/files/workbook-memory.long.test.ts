import { readFileSync } from 'node:fs'
import { test, type Test } from 'tap'
import { borrowMigrated } from '../../contract/engines.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { isOnPostgres } from '../../helpers/databases/database.js'
import { expectProblem } from '../../helpers/service/expect.js'
import { startProcess } from '../../helpers/processes/process.js'
import { adminPassword } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { colouredColumn, colouredRows, randomText, sheet, zipped } from '../../helpers/service/workbooks.js'

/** Mebibytes. */
const maxMemory = 200
const memoryOf = (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024

const start = async (t: Test) => {
  const environment = {
    ROLLCALL_ADMIN_PASSWORD: adminPassword,
    ...(isOnPostgres ? { DATABASE_URL: await borrowMigrated(t) } : {}),
  }
  const server = await startProcess(t, { directory: emptyDirectory(t), environment })
  const { pid = 0 } = server.child
  const { accessToken: token } = (await server.signIn('admin', adminPassword)).body.data
  return { server, token, pid }
}

const repeated = (count: number, row: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index + 1)).join('')
const inline = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
const chinese = randomText(2000).replace(/./g, (digit) => '零一二三四五六七八九'[Number(digit)] ?? '')

/** Nearly 64 MiB of XML each; what is wrong is found after all has been read. */
const large: [sentence: string, parts: () => Record<string, string>][] = [
  [
    'long texts in cells',
    () => ({
      'xl/worksheets/sheet1.xml': sheet(
        repeated(
          45_000,
          (row) =>
            `<row r="${row}">${inline(`A${row}`, `user${row}`)}${inline(`B${row}`, chinese.slice(row % 1500, (row % 1500) + 380))}</row>`,
        ),
      ),
    }),
  ],
  [
    'many short cells',
    () => ({
      'xl/worksheets/sheet1.xml': sheet(
        repeated(
          25_000,
          (row) => `<row r="${row}">${repeated(100, (column) => `<c><v>${(row * column) % 10}</v></c>`)}</row>`,
        ),
      ),
    }),
  ],
  [
    'many short texts that cells share',
    () => ({
      'xl/sharedStrings.xml': `<sst>${repeated(2_900_000, (index) => `<si><t>${(index * 7919) % 1009}</t></si>`)}</sst>`,
      'xl/worksheets/sheet1.xml': sheet(
        repeated(2, (row) => `<row r="${row}"><c r="A${row}" t="s"><v>${row}</v></c></row>`),
      ),
    }),
  ],
  ['a coloured column', () => ({ 'xl/worksheets/sheet1.xml': sheet(colouredColumn(1, 2 ** 20)) })],
  ['coloured rows', () => ({ 'xl/worksheets/sheet1.xml': sheet(colouredRows(1, 110)) })],
  [
    'a cell far away in a sheet that only the relationships name',
    () => ({
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="/custom/s.xml"/></Relationships>',
      'custom/s.xml': sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    }),
  ],
]

for (const [sentence, parts] of large) {
  test(`a workbook takes at most ${maxMemory} MiB: ${sentence}`, async (t) => {
    const { server, token, pid } = await start(t)
    const before = memoryOf(pid, 'VmRSS')
    const content = await zipped(parts())
    t.ok(content.length < 5 * 2 ** 20, `${content.length} bytes`)
    const begin = performance.now()
    const answer = await importFile(server, token, content)
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    const highest = memoryOf(pid, 'VmHWM')
    t.comment(
      `${answer.text.slice(0, 200)} ${seconds} s, memory ${before.toFixed(0)} MiB before, ${highest.toFixed(0)} at most`,
    )
    expectProblem(t, answer, 'invalid_request')
    t.ok(highest - before < maxMemory, `grew by ${(highest - before).toFixed(0)} MiB`)
  })
}
