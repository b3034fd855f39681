// What `npm run screenshot` runs: starts a new service with a thousand users and writes what a browser shows to docs/pictures/.
// CHROMIUM is the path of the browser, where it is none of the usual ones.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { chromium } from 'playwright-core'
import rollcall, { openInstallation, serverOptions } from '../dist/app.js'

const root = join(import.meta.dirname, '..')
const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const executablePath = process.env['CHROMIUM'] ?? usual.find((path) => existsSync(path))
if (executablePath === undefined) throw new Error('No Chromium is found: set CHROMIUM to its path.')

/** The picture, the page, and what is there when it can be taken. @type {[name: string, path: string, shown: string][]} */
const pictures = [
  ['sign-in', '/sign-in', '[name=password]'],
  ['account', '/account/security', '.section'],
  ['console', '/console/users', 'tbody a'],
  ['overview', '/console', '.figures dd'],
  ['docs', '/docs', '.opblock'],
]

const data = mkdtempSync(join(tmpdir(), 'rollcall-screenshot-'))
const password = 'plain green teapot'
const variables = { DATA_DIR: data, LOG_LEVEL: 'silent', ROLLCALL_ADMIN_PASSWORD: password }
const installation = openInstallation(variables, { create: true })
const app = Fastify(serverOptions(installation.settings))
await app.register(rollcall, { installation, pages: true, onFirstStart: () => undefined })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
// Passkeys know no IP addresses.
const origin = address.replace('127.0.0.1', 'localhost')

const generate = ['dist/cli/main.js', 'user', 'generate', '--count', '999', '--seed', 'pictures', '--password-stdin']
execFileSync(process.execPath, generate, {
  cwd: root,
  env: { ...process.env, ...variables },
  input: password,
  stdio: ['pipe', 'ignore', 'inherit'],
})

// Root, as in a container, cannot use the sandbox; the rest keeps the browser from calling home.
const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
const browser = await chromium.launch({ executablePath, args })
try {
  for (const [name, path, shown] of pictures) {
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1200, height: 800 } })
    if (path.startsWith('/account') || path.startsWith('/console')) {
      const signIn = { username: 'admin', password, cookie: true }
      await context.request.post(`${origin}/auth/login`, { headers: { origin }, data: signIn })
    }
    const page = await context.newPage()
    await page.goto(origin + path)
    await page.locator(shown).first().waitFor()
    await page.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) })
    await context.close()
  }
} finally {
  await browser.close()
  await app.close()
  rmSync(data, { recursive: true, force: true })
}
