import { setTimeout } from 'node:timers/promises'
import { chromium, type Browser, type Page } from 'playwright-core'
import { password } from '../installed.js'

const executablePath = process.env['ROLLCALL_TEST_CHROMIUM'] ?? '/usr/bin/chromium'
const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']

/** Chromium; on Debian that of its packages, unless `ROLLCALL_TEST_CHROMIUM` has another path. */
export const launch = (): Promise<Browser> => chromium.launch({ executablePath, headless: true, args: [...flags] })

/** Keeps, in the page, when the first operation of `/docs` was shown. */
const watchOperations = `
  window.operationAt = 0
  const lookForOperation = (_records, observer) => {
    if (!document.querySelector('.opblock')) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => { window.operationAt = performance.now() }))
  }
  new MutationObserver(lookForOperation).observe(document, { subtree: true, childList: true })
`

/**
 * Keeps, in the page, when rows were shown for the last time: after the change the browser has painted, which is when a task runs that
 * was asked for in a frame.
 */
export const watchRows = `
  window.shownAt = 0
  const look = (records) => {
    const isRow = ({ target }) => target.nodeType === 3 ? target.parentElement?.closest('tbody') : target.closest?.('tbody')
    if (!records.some((record) => isRow(record) || [...record.addedNodes].some((node) => node.querySelector?.('tbody a')))) return
    if (!document.querySelector('table.list[aria-busy=false] tbody a')) return
    requestAnimationFrame(() => setTimeout(() => { window.shownAt = performance.now() }))
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-busy'] })
  document.addEventListener('input', () => { window.typedAt = performance.now() }, true)
`

export interface Conditions {
  /** Of the processor. */
  slowdown?: number
  /** Bits in a second, both ways. */
  speed?: number
  /** Milliseconds. */
  roundTrip?: number
}

/** A page in a fresh profile, whose cache is empty. With `signedInAt`, the origin, it has the session of the administrator. */
export const openFresh = async (
  browser: Browser,
  { slowdown, speed, roundTrip = 0 }: Conditions = {},
  signedInAt?: string,
) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
  if (signedInAt !== undefined) {
    const data = { username: 'admin', password, cookie: true }
    const answer = await context.request.post(`${signedInAt}/auth/login`, { headers: { origin: signedInAt }, data })
    if (answer.status() !== 200) throw new Error(await answer.text())
  }
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  if (slowdown !== undefined) await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  if (speed !== undefined) {
    const throughput = speed / 8
    const conditions = {
      offline: false,
      latency: roundTrip,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    }
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', conditions)
  }
  await page.addInitScript(watchRows + watchOperations)
  return { page, devtools, close: () => context.close() }
}

/** Milliseconds. */
const patience = 30_000

/** Waits until an expression is true in the page. Evaluated by the debugger, which no content security policy forbids. */
export const until = async (page: Page, expression: string): Promise<void> => {
  const end = performance.now() + patience
  while (!(await page.evaluate<boolean>(`Boolean(${expression})`))) {
    if (performance.now() > end) throw new Error(`${page.url()}: ${expression} is not so after ${patience} ms`)
    await setTimeout(5)
  }
}

/** Milliseconds from the begin of the navigation to the first paint with content. */
export const firstPaint = async (page: Page): Promise<number> => {
  const paint = () =>
    page.evaluate<number | undefined>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`)
  await until(page, `performance.getEntriesByName('first-contentful-paint').length > 0`)
  return (await paint()) ?? NaN
}
