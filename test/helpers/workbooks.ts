import { strToU8, unzipSync, type Zippable } from 'fflate'
import { toXlsx } from '../../plugins/user-files/xlsx.js'

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
const entities = Array.from({ length: 30 }, (_, index) => `<!ENTITY e${index + 1} "&e${index};&e${index};">`).join('')
/** What is put into a good workbook to harm who reads it. */
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
  ['no XML', 'invalid_request', /not an .xlsx|no rows|username/, () => withSheet('<<<')],
  [
    'no sheet',
    'invalid_request',
    /not an .xlsx/,
    () => ({ 'xl/_rels/workbook.xml.rels': strToU8('<Relationships/>') }),
  ],
]
