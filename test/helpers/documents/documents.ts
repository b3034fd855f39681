import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../processes/project.js'

/** Every document of the project, by its path. */
export const documents = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|build|dist|\..*)$/.test(path),
}).sort()

export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The links of a document to files of the project: the path from the root and the heading in it, or an empty text. */
export const linksOf = (path: string): { target: string; heading: string }[] =>
  [...readDocument(path).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map(([, file = '', heading = '']) => ({
    target: file === '' ? path : join(dirname(path), file),
    heading,
  }))

/** The headings of a document, as links name them. */
export const headingsOf = (path: string): string[] =>
  existsSync(join(root, path))
    ? [...readDocument(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-'),
      )
    : []

/** The code blocks of a text, with their language. */
export const codeBlocksOf = (text: string): { language: string; code: string }[] =>
  [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }))

/** The files that a document tells the reader to save, by name. */
export const filesToSave = (path: string): Map<string, string> =>
  new Map(
    [...readDocument(path).matchAll(/\bsave\s+(?:this|it)\s+as\s+`([^`]+)`[^]*?^```\w+\n([^]*?)^```$/gim)].map(
      ([, name = '', code = '']) => [name, code],
    ),
  )

/** The rows of the tables of a document whose first cell is code; the cells are without backticks. */
export const rowsOf = (path: string): string[][] =>
  [...readDocument(path).matchAll(/^\| *`[^`]+` *\|.*$/gm)].map(([line]) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
