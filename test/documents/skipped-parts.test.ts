import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { temporary } from '../helpers/processes/package.js'
import { root } from '../helpers/processes/project.js'

const program = `
  import { skippedParts } from '${pathToFileURL(join(root, 'scripts/servers.js')).href}'
  const lines = await skippedParts(false)
  console.log(JSON.stringify({ lines, chromium: process.env.ROLLCALL_TEST_CHROMIUM }))`

/** What is told where only the programs of a folder are found. */
const told = (folder: string, environment: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    env: { PATH: folder, ...environment },
    encoding: 'utf8',
  })
  return { status, stderr, ...(JSON.parse(stdout || '{}') as { lines?: string[]; chromium?: string }) }
}

test('npm test says what it leaves out, with the command that installs it', (t) => {
  const { status, lines = [], chromium } = told(temporary(t))
  t.equal(status, 0)
  t.equal(chromium, '', 'the tests are told that there is none')
  for (const [part, install] of [
    ['pages and /docs in a browser', 'apt-get install chromium-headless-shell'],
    ['Caddy before the service', 'apt-get install caddy'],
    ['tests of Redis', 'apt-get install redis-server'],
    ['authenticator apps', 'apt-get install oathtool'],
    ['the recipe in Go', 'apt-get install golang-go'],
  ] as const)
    t.ok(
      lines.some((line) => line.startsWith(`Skipped: ${part}`) && line.includes(install)),
      part,
    )
  t.end()
})

test('a browser is found by any of its names, and one that is named and missing stops the tests', (t) => {
  const folder = temporary(t)
  const browser = join(folder, 'google-chrome')
  writeFileSync(browser, '', { mode: 0o755 })
  const { lines = [], chromium } = told(folder)
  t.equal(chromium, browser)
  t.notMatch(lines.join(''), 'browser')
  const missing = join(folder, 'chrome')
  const refused = told(folder, { ROLLCALL_TEST_CHROMIUM: missing })
  t.equal(refused.status, 2)
  t.match(refused.stderr, `ROLLCALL_TEST_CHROMIUM names ${missing}, which is not there`)
  t.end()
})
