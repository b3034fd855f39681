// What `npm run screenshot` runs: starts a new service and writes what a browser shows at /docs to docs/screenshot.png.
// CHROMIUM is the path of the browser, where it is none of the usual ones.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { chromium } from 'playwright-core'
import rollcall, { openInstallation, serverOptions } from '../dist/app.js'

const picture = join(dirname(fileURLToPath(import.meta.url)), '../docs/screenshot.png')
const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const executablePath = process.env['CHROMIUM'] ?? usual.find((path) => existsSync(path))
if (executablePath === undefined) throw new Error('No Chromium is found: set CHROMIUM to its path.')

const data = mkdtempSync(join(tmpdir(), 'rollcall-screenshot-'))
const installation = openInstallation({ DATA_DIR: data, LOG_LEVEL: 'silent' }, { create: true })
const app = Fastify(serverOptions(installation.settings))
await app.register(rollcall, { installation, onFirstStart: () => undefined })
const origin = await app.listen({ host: '127.0.0.1', port: 0 })

// Root, as in a container, cannot use the sandbox; the rest keeps the browser from calling home.
const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
const browser = await chromium.launch({ executablePath, args })
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  await page.goto(`${origin}/docs`)
  await page.locator('.opblock').first().waitFor()
  await page.screenshot({ path: picture })
} finally {
  await browser.close()
  await app.close()
  rmSync(data, { recursive: true, force: true })
}
