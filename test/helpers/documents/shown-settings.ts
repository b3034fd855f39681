import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { settingsReader } from '../../../app.js'
import { environment } from '../../../schemas/environment.js'
import { root } from '../processes/project.js'
import { documents } from './documents.js'

/** A part of the configuration, as a person is told to write it. */
export interface Shown {
  /** The file, and the line where it begins. */
  place: string
  text: string
  /** Whether it is a block of a programming language, where `mail.url` may be a part of an object. */
  isCode?: boolean
}

const placeOf = (path: string, text: string, index: number) => `${path}:${text.slice(0, index).split('\n').length}`

/** Every text of the program and of its pages that a person may be shown: the content of its quotes, as it is at run time. */
const sourceTexts = (): Shown[] =>
  globSync('{app.ts,server.ts,{cli,client,guests,lib,pages,plugins,routes,schemas}/**/*.{ts,tsx}}', { cwd: root })
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) => {
      const content = readFileSync(join(root, path), 'utf8')
      const found: Shown[] = []
      const look = (node: ts.Node): void => {
        const add = (text: string) => found.push({ place: placeOf(path, content, node.getStart()), text })
        if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) add(node.text)
        // Whatever is put into a text stands for one word.
        else if (ts.isTemplateExpression(node))
          add(node.head.text + node.templateSpans.map(({ literal }) => `WORD${literal.text}`).join(''))
        ts.forEachChild(node, look)
      }
      look(ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true))
      return found
    })

/** Every block and every piece of code of the documents. */
const documentTexts = (): Shown[] =>
  documents.flatMap((path) => {
    const content = readFileSync(join(root, path), 'utf8')
    const blocks = [...content.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)]
    const prose = content.replaceAll(/^ *```\w*\n[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ' '))
    return [
      ...blocks.map(({ index, 1: language = '', 2: text = '' }) => ({
        place: placeOf(path, content, index),
        text,
        isCode: !['json', 'sh', 'text', 'yaml'].includes(language),
      })),
      ...[...prose.matchAll(/`([^`\n]+)`/g)].map(({ index, 1: text = '' }) => ({
        place: placeOf(path, content, index),
        text,
      })),
    ]
  })

/** What is deployed is neither a document nor the program. */
const deployedTexts = (): Shown[] =>
  globSync('{Dockerfile,compose.yaml,deploy/**/*}', { cwd: root })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort()
    .map((path) => ({ place: path, text: readFileSync(join(root, path), 'utf8') }))

/** All of it, once: reading the sources takes a second. */
export const shownTexts = (): Shown[] => [...documentTexts(), ...deployedTexts(), ...sourceTexts()]

/** Whether a text begins as JSON, or as a part of an object: `"name": …`. */
export const isJson = ({ text }: Shown): boolean => /^\s*(\{\s*)?"\w+":\s*\S/.test(text)

/** The value of such a text. A part is put into braces, as it stands in the file. Throws if it is no JSON. */
export const valueOf = ({ text }: Shown): Record<string, unknown> => {
  // The hash that the command beside it prints.
  const filled = text.replaceAll('sha256:…', `sha256:${'0'.repeat(64)}`)
  return JSON.parse(filled.trim().startsWith('{') ? filled : `{${filled}}`) as Record<string, unknown>
}

const variables = environment.map(({ name }) => name).join('|')

/** The variables that a text sets, `NAME=value`, with the values that do not come from elsewhere. */
export const assignmentsOf = ({ text }: Shown): [name: string, value: string][] =>
  [...text.matchAll(new RegExp(`(?<![\\w-])(${variables})=([^\\s'"\`,;)]+)`, 'g'))]
    .map(([, name = '', value = '']): [string, string] => [name, value])
    .filter(([, value]) => !/[$…]/.test(value))

const groups = Object.entries(settingsReader.schema.properties)
  .filter(([, schema]) => 'properties' in schema)
  .map(([name]) => name)
  .join('|')

/** The settings of groups that a text names, such as `mail.url`. Files, such as `keys.md`, are none. */
export const settingsIn = ({ text }: Shown): string[] =>
  [...text.matchAll(new RegExp(`(?<![\\w./-])(?:${groups})(?:\\.[a-z]\\w+)+(?!\\w|/)`, 'g'))]
    .map(([name]) => name)
    .filter((name) => !/\.(md|js|ts|tsx|json|css|yml)$/.test(name))
