import { strToU8, unzipSync, zipSync, type Zippable } from 'fflate'
import { lettersOf, toXlsx } from '../xlsx.js'

export type Cell = string | number | null
export const workbookOf = async (rows: Cell[][]): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  for await (const part of toXlsx([rows])) parts.push(part)
  return Buffer.concat(parts)
}

export const megabytes = (count: number, text = ' ') => strToU8(text.repeat((count * 2 ** 20) / text.length))
/** The parts of a workbook that adds one user. */
export const goodParts = async () => unzipSync(new Uint8Array(await workbookOf([['username'], ['alice']])))
const withSheet = (sheet: string) => ({ 'xl/worksheets/sheet1.xml': strToU8(sheet) })
const sheetOf = (rows: string) =>
  `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>username</t></is></c></row>${rows}</sheetData></worksheet>`
/** Shrinks as the lists of people do. */
export const randomText = (length: number): string => {
  let state = 1
  const words = Array.from({ length: length / 8 }, () =>
    ((state = (state * 48271) % 2147483647) % 99999999).toString().padStart(8, '0'),
  )
  return words.join('')
}
const entities = Array.from({ length: 30 }, (_, index) => `<!ENTITY e${index + 1} "&e${index};&e${index};">`).join('')
/** What is put into a good workbook to harm who reads it. */
const farAway = sheetOf('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
/** A sheet at another place, which the relationships name. */
const withSheetAt = (path: string, target: string, sheet: string) => ({
  'xl/_rels/workbook.xml.rels': strToU8(
    `<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="${target}"/></Relationships>`,
  ),
  [path]: strToU8(sheet),
})
export const hostile: [
  sentence: string,
  reason: 'invalid_request' | 'payload_too_large',
  text: RegExp,
  parts: () => Zippable,
][] = [
  ['a bomb of one part', 'payload_too_large', /unpacked/, () => withSheet(sheetOf('') + ' '.repeat(80 * 2 ** 20))],
  [
    'a bomb of many parts',
    'payload_too_large',
    /unpacked/,
    () => Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`xl/part${index}.xml`, megabytes(4)])),
  ],
  ['a ratio of a thousand', 'payload_too_large', /unpacked/, () => ({ 'xl/styles.xml': megabytes(8) })],
  [
    'a bomb of strings in a part of another kind',
    'invalid_request',
    /not an .xlsx/,
    () => ({
      'xl/_rels/workbook.xml.rels': strToU8(
        `<Relationships>${['worksheet', 'sharedStrings']
          .map(
            (type, index) =>
              `<Relationship Id="rId${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${['worksheets/sheet1.xml', 'strings.bin'][index]}"/>`,
          )
          .join('')}</Relationships>`,
      ),
      'xl/strings.bin': strToU8(`<sst><si><t>username</t></si>${' '.repeat(80 * 2 ** 20)}</sst>`),
      ...withSheet('<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>'),
    }),
  ],
  [
    'entities in entities',
    'invalid_request',
    /not an .xlsx/,
    () => withSheet(`<!DOCTYPE x [<!ENTITY e0 "ha">${entities}]>${sheetOf('<row><c><v>&e30;</v></c></row>')}`),
  ],
  [
    'a cell in the last column',
    'invalid_request',
    /100 columns/,
    () => withSheet(sheetOf('<row r="2"><c r="XFD2"><v>1</v></c></row>')),
  ],
  [
    'a cell in the last row',
    'invalid_request',
    /50000 rows/,
    () => withSheet(sheetOf('<row r="1048576"><c r="A1048576"><v>1</v></c></row>')),
  ],
  [
    'many rows without numbers',
    'invalid_request',
    /50000 rows/,
    () =>
      withSheet(
        sheetOf(
          Array.from({ length: 50_001 }, (_, index) => `<row><c><v>${(index * 7919) % 1000003}</v></c></row>`).join(''),
        ),
      ),
  ],
  [
    'a cell far away in a sheet at another place',
    'invalid_request',
    /100 columns/,
    () => withSheetAt('xl/custom/s.xml', 'custom/s.xml', farAway),
  ],
  [
    'a cell far away in a sheet outside the usual folder',
    'invalid_request',
    /100 columns/,
    () => withSheetAt('custom/s.xml', '/custom/s.xml', farAway),
  ],
  [
    'a text that millions of cells share',
    'payload_too_large',
    /unpacked/,
    () => ({
      'xl/sharedStrings.xml': strToU8(`<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`),
      ...withSheet(
        sheetOf(
          Array.from(
            { length: 10_000 },
            (_, index) => `<row r="${index + 2}"><c r="A${index + 2}" t="s"><v>0</v></c></row>`,
          ).join(''),
        ),
      ),
    }),
  ],
  ['tags in tags in tags', 'invalid_request', /not an .xlsx/, () => withSheet('<a>'.repeat(100_000))],
  ['a text without end', 'invalid_request', /not an .xlsx/, () => withSheet(`<a>${randomText(3 * 2 ** 20)}`)],
  ['no XML', 'invalid_request', /not an .xlsx|no rows|username/, () => withSheet('<<<')],
  [
    'no sheet',
    'invalid_request',
    /not an .xlsx/,
    () => ({ 'xl/_rels/workbook.xml.rels': strToU8('<Relationships/>') }),
  ],
]

/** A good workbook with other texts of parts. */
export const zipped = async (changes: Record<string, string>): Promise<Buffer> => {
  const parts: Zippable = { ...(await goodParts()) }
  for (const [name, text] of Object.entries(changes)) parts[name] = strToU8(text)
  return Buffer.from(zipSync(parts))
}
/** A sheet whose tags have a prefix. */
export const sheet = (rows: string) =>
  `<x:worksheet xmlns:x="y"><x:sheetData>${rows.replaceAll(/<(\/?)/g, '<$1x:')}</x:sheetData></x:worksheet>`

/** Rows of a sheet with one cell that has only a colour. */
export const colouredColumn = (firstRow: number, count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `<row r="${firstRow + index}"><c r="A${firstRow + index}" s="1"/></row>`,
  ).join('')
/** Rows with a cell in each column, A to XFD, that has only a colour. */
export const colouredRows = (firstRow: number, count: number): string => {
  const cells = Array.from({ length: 16_384 }, (_, column) => `<c r="${lettersOf(column)}#" s="1"/>`).join('')
  const rows = Array.from({ length: count }, (_, index) => String(firstRow + index))
  return rows.map((row) => `<row r="${row}">${cells.replaceAll('#', row)}</row>`).join('')
}
