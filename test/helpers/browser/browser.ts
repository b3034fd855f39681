import { chromium, type Browser, type Request } from 'playwright-core'
import { t as all, type Test } from 'tap'

const executablePath = process.env['ROLLCALL_TEST_CHROMIUM']
/** Why the tests in a browser are not run; false if they are. */
export const skip = executablePath ? false : 'there is no Chromium, or ROLLCALL_TEST_CHROMIUM does not name it'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** By their flags. To start a browser takes longer than most tests, so the tests of a process share it, each with a profile of its own. */
const browsers = new Map<string, Promise<Browser>>()

const launch = (more: string[]): Promise<Browser> => {
  const key = more.join(' ')
  const known = browsers.get(key)
  if (known) return known
  const launched = chromium.launch({ executablePath, headless: true, args: [...flags, ...more] })
  browsers.set(key, launched)
  all.teardown(async () => (await launched).close())
  return launched
}

/** Opens a page in a fresh profile of a browser, with further flags of Chromium; whatever the page complains about is collected. */
export const openBrowser = async (t: Test, more: string[] = []) => {
  const browser = await launch(more)
  const context = await browser.newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const hosts = new Set<string>()
  /** Requests that are not answered yet. */
  const open = new Set<Request>()
  page.on('request', (request) => {
    hosts.add(new URL(request.url()).host)
    open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return {
    page,
    complaints,
    /** The hosts to which the page has sent requests; that of a data URI is empty. */
    hosts,
    /** Whether the page waits for an answer. */
    isWaiting: () => open.size > 0,
  }
}
