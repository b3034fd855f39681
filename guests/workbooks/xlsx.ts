type Cell = string | number | null

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** The parts that every workbook needs (ECMA-376 Part 1, 12.2), beside the sheet. */
export const fixedParts = {
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="users" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}

/** Excel reads no longer cells. */
const maxCellLength = 32_767

const notInXml =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

const escapeText = (text: string): string =>
  text
    .slice(0, maxCellLength)
    .replace(notInXml, '')
    // Excel reads _x000D_ as a line break.
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>"\r]/g, (character) => escapes[character] ?? character)

/** A to Z, then AA and so on. */
export const lettersOf = (index: number): string =>
  (index < 26 ? '' : lettersOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** Some programs read only cells that name their place. */
const toCell = (cell: Cell, index: number, row: number): string => {
  if (cell === null || cell === '') return ''
  const place = `r="${lettersOf(index)}${row}"`
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
  return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escapeText(cell)}</t></is></c>`
}

const toRow = (cells: Cell[], row: number): string =>
  `<row r="${row}">${cells.map((cell, index) => toCell(cell, index, row)).join('')}</row>`

/** Rows as an .xlsx workbook with one sheet, a part for each batch. Text is text: it is never read as a formula. */
export async function* toXlsx(batches: AsyncIterable<Cell[][]> | Iterable<Cell[][]>): AsyncGenerator<Uint8Array> {
  // With the first export, not at the start: most processes never need it.
  const { strToU8, Zip, ZipDeflate } = await import('fflate')
  let chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  const taken = () => {
    const part = Buffer.concat(chunks)
    chunks = []
    return part
  }
  const begin = (name: string) => {
    const part = new ZipDeflate(name, { level: 6 })
    zip.add(part)
    return part
  }
  for (const [name, content] of Object.entries(fixedParts)) begin(name).push(strToU8(declaration + content), true)
  const sheet = begin('xl/worksheets/sheet1.xml')
  sheet.push(strToU8(`${declaration}<worksheet xmlns="${main}"><sheetData>`))
  let written = 0
  for await (const rows of batches) {
    sheet.push(strToU8(rows.map((cells, index) => toRow(cells, written + index + 1)).join('')))
    written += rows.length
    yield taken()
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true)
  zip.end()
  yield taken()
}
