// Takes pictures of each state of the pages, as the tests of `test/pages/` reach it: light and dark, 320 and 1280 px wide, English and
// Chinese. Needs a Chromium; `CHROMIUM` is its path.
//
//     node scripts/screenshot-pages.js [FOLDER]
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'screenshots'))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const { status } = spawnSync(process.execPath, [join(root, 'scripts/test.js'), '--jobs=1', 'test/pages'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ROLLCALL_TEST_CHROMIUM: process.env['CHROMIUM'] ?? process.env['ROLLCALL_TEST_CHROMIUM'] ?? '/usr/bin/chromium',
    ROLLCALL_TEST_SCREENSHOTS: folder,
  },
})
process.stdout.write(`The pictures are in ${folder}.\n`)
process.exitCode = status ?? 1
