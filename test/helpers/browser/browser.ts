import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Test } from 'tap'

const executablePath = process.env['ROLLCALL_TEST_CHROMIUM']
/** Why the tests in a browser are not run; false if they are. */
export const skip = executablePath
  ? false
  : 'set ROLLCALL_TEST_CHROMIUM to the path of a Chromium to run the browser tests'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens a page in a fresh browser, with further flags of Chromium; whatever the page complains about is collected. */
export const openBrowser = async (t: Test, more: string[] = []) => {
  const profile = mkdtempSync(join(tmpdir(), 'rollcall-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: [...flags, ...more],
  })
  t.teardown(async () => {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  return {
    page,
    complaints,
    /** The hosts to which the page has sent requests; that of a data URI is empty. */
    hosts,
  }
}
