import { zipSync } from 'fflate'
import { test, type Test } from 'tap'
import { borrowMigrated } from '../../../test/contract/engines.js'
import { emptyDirectory } from '../../../test/helpers/processes/child.js'
import { isOnPostgres } from '../../../test/helpers/databases/database.js'
import { expectProblem } from '../../../test/helpers/service/expect.js'
import { startProcess } from '../../../test/helpers/processes/process.js'
import { adminPassword } from '../../../test/helpers/service/server.js'
import { importFile } from '../../../test/helpers/service/upload.js'
import { memoryOf, startWatched } from '../../../test/helpers/processes/watched.js'
import { colouredColumn, colouredRows, goodParts, hostile, randomText, sheet, zipped } from './workbooks.js'

/** Mebibytes. */
const maxMemory = 200
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

/** Milliseconds. */
const maxHold = 20

test('workbooks that are refused leave no memory behind and hold no event loop', async (t) => {
  const { pid, held, importFile } = await startWatched(t)
  const parts = await goodParts()
  const files = hostile.map(([, reason, , changes]) => ({
    reason,
    content: Buffer.from(zipSync({ ...parts, ...changes() })),
  }))
  const round = async () => {
    for (const { reason, content } of files) expectProblem(t, await importFile(content), reason)
  }
  await round()
  await held()
  const before = memoryOf(pid, 'VmHWM')
  for (let rounds = 0; rounds < 10; rounds++) await round()
  t.ok((await held()) <= maxHold)
  const highest = memoryOf(pid, 'VmHWM')
  t.comment(`memory: ${before.toFixed(0)} MiB at the highest in one round, ${highest.toFixed(0)} in eleven`)
  t.ok(highest < 384, 'a machine of 512 MiB has enough')
  t.ok(highest - before < 64, `memory grew by ${(highest - before).toFixed(0)} MiB`)
})
