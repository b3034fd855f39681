import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { root } from '../helpers/processes/project.js'

/** The rows of the security checklist: passwords, login, sessions, refresh, identity providers. */
const rows = Object.entries({ P: 10, L: 12, S: 7, R: 3, O: 8 }).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
)

const provenRows = (): Set<string> => {
  const files = readdirSync(join(root, 'test'), { recursive: true }).map(String)
  const titles = files
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(root, 'test', file), 'utf8').matchAll(/test\(\s*['"`]((?:[PLSRO]\d+(?:, )?)+):/g),
    ])
  return new Set(titles.flatMap(([, ids = '']) => ids.split(', ')))
}

const explainedRows = (): Set<string> =>
  new Set(
    [...readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(/^- \*\*([PLSRO]\d+)\*\*/gm)].map(([, id = '']) => id),
  )

test('every row of the checklist has a test named after it, or a line in SECURITY.md', (t) => {
  const known = new Set([...provenRows(), ...explainedRows()])
  t.same(
    rows.filter((row) => !known.has(row)),
    [],
  )
  t.end()
})
