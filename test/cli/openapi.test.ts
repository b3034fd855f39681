import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { root } from '../helpers/processes/project.js'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'

const committed = () => readFileSync(join(root, 'openapi.json'), 'utf8')

test('openapi prints the committed document, without a data directory', async (t) => {
  const { done, directory } = await createCli(t, { installed: false })
  t.equal(await done('openapi'), committed())
  t.notOk(existsSync(directory), 'and makes none')
})

test('openapi --output writes the document and says so', async (t) => {
  const { done, directory } = await createCli(t, { installed: false })
  const file = join(dirname(directory), 'document.json')
  t.equal(await done(['openapi', '--output', file]), `Wrote ${file}.\n`)
  t.equal(readFileSync(file, 'utf8'), committed())
})

test('openapi --check tells whether a file matches', async (t) => {
  const { done, run, directory } = await createCli(t, { installed: false })
  t.match(await done(['openapi', '--check', join(root, 'openapi.json')]), /matches the routes/)
  const file = join(dirname(directory), 'document.json')
  writeFileSync(file, committed().replace('"Rollcall"', '"Other"'))
  expectRefusal(t, await run(['openapi', '--check', file]), 1, /document\.json differs .*npm run openapi/)
})

for (const [sentence, option] of [
  ['--check of a file that is not there', '--check'],
  ['--output into a folder that is not there', '--output'],
] as const) {
  test(`openapi ${sentence} is refused with one sentence`, async (t) => {
    const { run, directory } = await createCli(t, { installed: false })
    const outcome = await run(['openapi', option, join(directory, 'none.json')])
    expectRefusal(t, outcome, 1, /none\.json/)
    t.notOk(existsSync(directory))
  })
}
