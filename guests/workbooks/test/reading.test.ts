import { test } from 'tap'
import { fixedParts } from '../xlsx.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { importFile } from '../../../test/helpers/service/upload.js'
import { askPage } from '../../../test/helpers/service/users.js'
import { colouredColumn, colouredRows, sheet, zipped } from './workbooks.js'

test('cells of every kind are read, and cells without a value count nowhere', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const text = (place: string, content: string) => `<c r="${place}" t="inlineStr"><is><t>${content}</t></is></c>`
  const rows = [
    text('A1', 'username') + '<c r="B1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c>',
    text('A2', 'shared&amp;ok') + '<c r="B2" t="s"><v>2</v></c><c r="C2" t="s"><v>3</v></c>',
    text('A3', 'date') + '<c r="B3" s="1"><v>45292.5</v></c><c r="C3" s="0"><v>45292.5</v></c>',
    text('A4', 'formula') + '<c r="B4" t="b"><v>1</v></c><c r="C4" t="str"><f>1</f><v>a_x000D_b</v></c>',
    text('A5', 'error') + '<c r="B5" t="e"><v>#N/A</v></c><c r="C5" s="1"/>',
  ]
  const content = await zipped({
    'xl/sharedStrings.xml':
      '<sst><si><t>realName</t></si><si><t>remark</t></si><si><r><t>王</t></r><r><t>小明</t></r><rPh><t>x</t></rPh></si><si><t/></si></sst>',
    'xl/styles.xml':
      '<styleSheet><toString><xf numFmtId="14"/></toString><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    // The last cell of a coloured column.
    'xl/worksheets/sheet1.xml': sheet(
      rows.map((cells, index) => `<row r="${index + 1}">${cells}</row>`).join('') +
        '<row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" s="1"><v></v></c></row>',
    ),
  })
  t.match(expectSuccess(t, await importFile(server, token, content)), { rows: 4, added: 4, refused: 0 })
  const { records } = expectSuccess(t, await askPage(server, token, 'orderByColumn=id&isAsc=asc&pageSize=10'))
  t.match(
    records.slice(-4).map(({ username, realName, remark }: Record<string, string>) => [username, realName, remark]),
    [
      ['shared&ok', '王小明', null],
      ['date', '2024-01-01T12:00:00.000Z', '45292.5'],
      ['formula', 'true', 'a\rb'],
      ['error', 'error', null],
    ],
  )
})

/** Codes of formats, and whether they show dates or times. */
const formats: [code: string, isDate: boolean][] = [
  ['yyyy-mm-dd', true],
  ['[$-414]mmmm\\ yyyy;@', true],
  ['yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;;@', true],
  ['[$-804]aaaa', true],
  ['[&lt;45000]&quot;Old&quot;;yyyy-mm-dd', true],
  ['[h]:mm:ss', true],
  ['mm:ss.0', true],
  ['General', false],
  ['0.00E+00', false],
  ['[Red]0.00;[Blue]-0.00', false],
  ['#,##0 &quot;days&quot;', false],
  ['0.00\\m', false],
  ['_-* #,##0.00\\ [$d]_-', false],
  ['@', false],
]

for (const from of [1900, 1904]) {
  test(`a number is a date if its format, or that of the style on which its style is based, says so; days from ${from}`, async (t) => {
    const server = await startServer(t)
    const { accessToken: token } = await server.signIn()
    const codes = formats.map(([code], index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`)
    const styles = formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`)
    const shows = [...formats.map(([, isDate]) => isDate), true, true, false]
    const rows = shows.map(
      (_, index) =>
        `<row r="${index + 2}"><c r="A${index + 2}" t="inlineStr"><is><t>user${index}</t></is></c><c r="B${index + 2}" s="${index}"><v>45292.5</v></c></row>`,
    )
    const names = ['username', 'remark'].map(
      (name, index) => `<c r="${'AB'[index]}1" t="inlineStr"><is><t>${name}</t></is></c>`,
    )
    const content = await zipped({
      ...(from === 1904
        ? { 'xl/workbook.xml': fixedParts['xl/workbook.xml'].replace('<sheets>', '<workbookPr date1904="1"/><sheets>') }
        : {}),
      'xl/styles.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}<xf numFmtId="22"/><xf xfId="1"/><xf/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': sheet(`<row r="1">${names.join('')}</row>${rows.join('')}`),
    })
    t.match(expectSuccess(t, await importFile(server, token, content)), { added: shows.length, refused: 0 })
    const { records } = expectSuccess(t, await askPage(server, token, 'orderByColumn=id&isAsc=asc&pageSize=100'))
    const date = from === 1904 ? '2028-01-02T12:00:00.000Z' : '2024-01-01T12:00:00.000Z'
    t.same(
      records.slice(-shows.length).map(({ remark }: Record<string, string>) => remark),
      shows.map((isDate) => (isDate ? date : '45292.5')),
    )
  })
}

/** As spreadsheet programs write a coloured column, and coloured rows: far more than may have a value. */
const coloured: [sentence: string, rows: string][] = [
  ['a column to the last row', colouredColumn(3, 100_000) + colouredColumn(2 ** 20, 1)],
  ['rows to the last column', colouredRows(3, 10)],
]

for (const [sentence, rows] of coloured) {
  test(`coloured cells without a value are no rows and no columns: ${sentence}`, async (t) => {
    const server = await startServer(t)
    const { accessToken: token } = await server.signIn()
    const values = ['username', 'alice'].map(
      (text, row) => `<row r="${row + 1}"><c r="A${row + 1}" t="inlineStr"><is><t>${text}</t></is></c></row>`,
    )
    const content = await zipped({
      'xl/styles.xml':
        '<styleSheet><toString><xf numFmtId="14"/></toString><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': sheet(values.join('') + rows),
    })
    t.match(expectSuccess(t, await importFile(server, token, content)), { rows: 1, added: 1, refused: 0 })
  })
}
