import { createXmlReader } from './xml.js'
import { unpack, WorkbookFault, type PartReader } from './unpack.js'

/** Where the parts of a workbook are that are read. */
export interface WorkbookParts {
  sheet: string
  sharedStrings: string
  styles: string
  /** Whether days are counted from 1904. */
  isFrom1904: boolean
}

const relationTypes =
  /^http:\/\/(?:schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/relationships\/(worksheet|sharedStrings|styles)$/

/** Targets are relative to the folder `xl`, unless they begin with `/`. */
const pathOf = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`)

/** Reads which part is the first sheet: the relationships of a workbook may name any. */
export const findParts = (workbook: Uint8Array): WorkbookParts => {
  const relations: { id: string; type: string; path: string }[] = []
  let firstSheet: string | undefined
  let isFrom1904: boolean | undefined
  const readers = new Map<string, PartReader>()
  readers.set(
    'xl/_rels/workbook.xml.rels',
    createXmlReader({
      open(name, attributes) {
        if (name !== 'Relationship') return
        const { Id: id = '', Type = '', Target = '' } = attributes()
        const [, type] = relationTypes.exec(Type) ?? []
        if (type !== undefined) relations.push({ id, type, path: pathOf(Target) })
      },
    }),
  )
  readers.set(
    'xl/workbook.xml',
    createXmlReader({
      open(name, attributes) {
        if (name === 'workbookPr') isFrom1904 ??= attributes().date1904 === '1'
        else if (name === 'sheet') firstSheet ??= attributes().id
      },
    }),
  )
  unpack(workbook, (name) => readers.get(name))
  const pathOfType = (wanted: string) => relations.findLast(({ type }) => type === wanted)?.path
  const sheet = relations.findLast(({ id, type }) => type === 'worksheet' && id === firstSheet)?.path
  if (sheet === undefined) throw new WorkbookFault('workbook')
  return {
    sheet,
    sharedStrings: pathOfType('sharedStrings') ?? 'xl/sharedStrings.xml',
    styles: pathOfType('styles') ?? 'xl/styles.xml',
    isFrom1904: isFrom1904 ?? false,
  }
}
