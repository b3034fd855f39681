import { isDeepStrictEqual } from 'node:util'
import { test } from 'tap'
import { codeBlocksOf, readDocument } from '../helpers/documents/documents.js'
import { builtInAuthTypes } from '../helpers/documents/document.js'

const page = readDocument('docs/sign-in.md')
const { paths, components } = JSON.parse(readDocument('openapi.json'))
/** The examples of the document, which a test validates. */
const examples = Object.values<any>(components.examples).map(({ value }) => value)
/** Whether a request is this example; what the example leaves to be filled in is filled in. */
const isFilledIn = (example: Record<string, unknown>, request: Record<string, unknown>): boolean =>
  JSON.stringify(Object.keys(example)) === JSON.stringify(Object.keys(request)) &&
  Object.entries(example).every(([field, value]) =>
    value === '' ? request[field] !== '' : isDeepStrictEqual(value, request[field]),
  )
const sections = page.split(/^## /m).slice(1)

test('each sign-in method has a section with a diagram and the request of openapi.json', (t) => {
  t.same(
    sections.map((section) => /^`(\w+)`/.exec(section)?.[1]),
    builtInAuthTypes,
  )
  for (const section of sections) {
    const [diagram, body, another] = codeBlocksOf(section)
    t.equal(diagram?.language, 'mermaid')
    const request = body?.code ?? ''
    t.ok(
      examples.some((example) => isFilledIn(example, JSON.parse(request))),
      request,
    )
    t.equal(another, undefined)
  }
  t.end()
})

test('every line of a diagram is one of Mermaid between declared participants, and names endpoints that exist', (t) => {
  for (const section of sections) {
    const [first, ...lines] = (codeBlocksOf(section)[0]?.code ?? '').trimEnd().split('\n')
    t.equal(first, 'sequenceDiagram')
    const names = new Set<string | undefined>()
    for (const line of lines) {
      const [, participant] = /^ {2}participant (\w) as [\w ]+$/.exec(line) ?? []
      if (participant !== undefined) {
        names.add(participant)
        continue
      }
      const [, from, to, text = ''] = /^ {2}(\w)--?>>(\w): ([^;#]+)$/.exec(line) ?? []
      t.ok(names.has(from) && names.has(to), line)
      const [, method = '', path = ''] = /^(GET|POST) ([\w/{}]+)/.exec(text) ?? []
      if (method !== '') t.ok(paths[path]?.[method.toLowerCase()], line)
    }
  }
  t.end()
})
