import { parse } from 'lossless-json'
import { readTextFile } from '../../../lib/text-file.js'
import { closedFile } from './data-directory.js'
import type { Fault } from './settings.js'

/** Line and column of a character, both counted from 1. */
const placeOf = (text: string, position: number): string => {
  const lines = text.slice(0, position).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

/** What is wrong with `config.json` by the code of the error. */
const unreadable: Record<string, string> = {
  EISDIR: 'is a folder; remove it, or mount the file that is meant',
  EACCES: closedFile,
}

const parseFile = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The errors of this parser always contain a position.
    return parse(text)
  }
}

const isObject = (content: unknown): boolean =>
  typeof content === 'object' && content !== null && !Array.isArray(content)

/** The content of `config.json`, which is not checked yet, or why it cannot be read. */
export const readConfigFile = (file: string): { content?: unknown; faults: Fault[] } => {
  const fault = (message: string) => ({ faults: [{ name: 'the whole file', source: file, message }] })
  let text: string
  try {
    text = readTextFile(file)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return fault(unreadable[code] ?? `cannot be read: ${message}`)
  }
  try {
    const content = parseFile(text)
    // What the environment sets would be laid over anything else as if it were empty.
    if (!isObject(content)) return fault('must be one object with the settings: { "port": 3000, … }')
    return { content, faults: [] }
  } catch (error) {
    const { message } = error as Error
    const [sentence, position] = /^(.*?) at position (\d+)/s.exec(message)?.slice(1) ?? []
    const place = position === undefined ? '' : ` at ${placeOf(text, Number(position))}`
    return fault(`is not valid JSON${place}: ${sentence ?? message}`)
  }
}
