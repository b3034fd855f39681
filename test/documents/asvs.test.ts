import { globSync } from 'node:fs'
import { test } from 'tap'
import { readDocument, rowsOf } from '../helpers/documents/documents.js'
import { root } from '../helpers/processes/project.js'

/** How many requirements each section has. */
const sections = { '6.3': 8, '6.4': 6, '6.5': 8, '6.6': 4, '6.7': 2, '7.5': 3 }
const numbers = Object.entries(sections).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
)
const rows = rowsOf('docs/second-factor.md').filter(([number = '']) => /^\d\.\d\.\d$/.test(number))
const testsIn = (cell: string): string[] => cell.match(/\btest\/[\w/-]+\.test\.ts\b/g) ?? []
/** The names of the tests of a file that carry the number of a requirement. */
const carries = (file: string, number: string): boolean =>
  new RegExp(`^test\\('[^']*\\bASVS ${number.replaceAll('.', '\\.')}\\b[^']*'`, 'm').test(readDocument(file))

test('the table of ASVS has every requirement of its sections, with a test of that number or a sentence', (t) => {
  t.strictSame(
    rows.map(([number]) => number),
    numbers,
  )
  for (const [number = '', , shown = ''] of rows) {
    const files = testsIn(shown)
    if (files.length === 0) t.match(shown, /^[A-Z].*\.$/, `${number} has a sentence`)
    for (const file of files) t.ok(carries(file, number), `${file} has a test of ASVS ${number}`)
  }
  t.end()
})

test('a test that carries the number of a requirement is in the table of ASVS', (t) => {
  for (const file of globSync('test/**/*.test.ts', { cwd: root })) {
    for (const number of numbers.filter((one) => carries(file, one))) {
      const [, , shown = ''] = rows.find(([one]) => one === number) ?? []
      t.ok(testsIn(shown).includes(file), `${file}: ASVS ${number}`)
    }
  }
  t.end()
})
