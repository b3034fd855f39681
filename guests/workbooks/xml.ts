import { Parser } from 'saxen'
import { WorkbookFault, type PartReader } from './unpack.js'

/** What happens in an XML part. Names come without the prefix of their namespace, values without entities. */
export interface XmlEvents {
  open?: (name: string, attributes: () => Record<string, string>) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

/** Bytes that are parsed in one go. */
const pieceSize = 64 * 1024
/** Bytes of a tag or a text; a cell of a workbook has 32,767 characters at most. The parser keeps what is not complete. */
const maxToken = 2 ** 20
const maxDepth = 100

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Parses XML piece by piece. Throws a `WorkbookFault` for what is no XML, and for what makes a parser keep much. */
export const createXmlReader = ({ open, close, text }: XmlEvents): PartReader => {
  const parser = new Parser()
  const decoder = new TextDecoder()
  let depth = 0
  let sinceEvent = 0
  parser.on('error', () => {
    throw new WorkbookFault('workbook')
  })
  // Workbooks define no entities; entities inside entities would grow without bound.
  parser.on('attention', () => {
    throw new WorkbookFault('workbook')
  })
  parser.on('openTag', (name, attributes, decode) => {
    sinceEvent = 0
    if (++depth > maxDepth) throw new WorkbookFault('workbook')
    open?.(localName(name), () =>
      Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [localName(key), decode(value)])),
    )
  })
  parser.on('closeTag', (name) => {
    sinceEvent = 0
    depth--
    close?.(localName(name))
  })
  parser.on('text', (found, decode) => {
    sinceEvent = 0
    text?.(decode(found))
  })
  return {
    write(bytes) {
      for (let start = 0; start < bytes.length; start += pieceSize) {
        const piece = bytes.subarray(start, start + pieceSize)
        sinceEvent += piece.length
        if (sinceEvent > maxToken) throw new WorkbookFault('workbook')
        parser.write(decoder.decode(piece, { stream: true }))
      }
    },
    end() {
      parser.write(decoder.decode())
      parser.end()
    },
  }
}
