import type { Browser, Page } from 'playwright-core'
import { median, type Figure } from '../part.js'
import { openFresh, until } from './browser.js'

/** Each is in the names of some users. */
const letters = 'aeinorslmt'
const pageChanges = 200
/** Milliseconds after the last byte of the answer. */
const shownWithin = 60
/** Milliseconds: a new search is asked for 250 after the last key, and a timer may be late. */
const askedWithin = 300
const mebibyte = 2 ** 20

interface Change {
  /** Milliseconds from the last byte of the answer until the rows were painted. */
  shown: number
  requests: number
  /** Milliseconds between the last key and the request. */
  asked: number
}

const lists = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/system/user/page'))`
const requestsSoFar = `performance.getEntriesByType('resource').filter(({ name }) => !name.includes('/pages/')).length`

/** Does something that changes the page of the list, and waits until its rows are shown. */
const change = async (page: Page, act: () => Promise<unknown>): Promise<Change> => {
  // The browser keeps 250 entries.
  await page.evaluate('performance.clearResourceTimings(); window.shownAt = 0')
  await act()
  await until(page, `${lists}.length > 0 && window.shownAt > ${lists}.at(-1).responseEnd`)
  return page.evaluate<Change>(`({
    shown: window.shownAt - ${lists}.at(-1).responseEnd,
    requests: ${requestsSoFar},
    asked: ${lists}.at(-1).startTime - (window.typedAt ?? 0),
  })`)
}

const repeat = async (count: number, work: (round: number) => Promise<Change>): Promise<Change[]> => {
  const list: Change[] = []
  for (let round = 0; round < count; round++) list.push(await work(round))
  return list
}

const figure = (name: string, list: Change[]): Figure => ({
  name,
  values: {
    milliseconds: median(list.map(({ shown }) => shown)),
    requests: Math.max(...list.map(({ requests }) => requests)),
  },
  target: { value: 'milliseconds', atMost: shownWithin },
})

const heapOf = async (devtools: Awaited<ReturnType<typeof openFresh>>['devtools']): Promise<number> => {
  await devtools.send('HeapProfiler.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  return (await devtools.send('Runtime.getHeapUsage')).usedSize
}

/** Changes of the page in the list of the console: how soon their rows are shown, how many requests they send, and what they keep. */
export const listChanges = async (browser: Browser, origin: string, rounds: number): Promise<Figure[]> => {
  const { page, devtools, close } = await openFresh(browser, {}, origin)
  await page.goto(`${origin}/console/users`)
  await until(page, 'window.shownAt > 0')
  const click = (name: string) => () => page.getByRole('button', { name, exact: true }).click()
  const next = await repeat(rounds, () => change(page, click('Next')))
  const jump = (number: number) => async () => {
    await page.locator('.pager input').fill(String(number))
    await page.keyboard.press('Enter')
  }
  const last = await repeat(rounds, (round) => change(page, jump(round % 2 === 0 ? 1_000_000 : 1)))
  const sort = await repeat(rounds, () => change(page, click('User name')))
  const filter = await repeat(rounds, async (round) => {
    if (round % 2 === 1) return change(page, click('Remove filter Status'))
    await page.locator('.filters').getByText('Status', { exact: true }).click()
    return change(page, () => page.locator('.filters [open]').getByRole('button', { name: 'Normal' }).click())
  })
  const search = await repeat(rounds, (round) =>
    change(page, () => page.getByRole('searchbox').fill(round % 2 === 0 ? (letters[round / 2] ?? 'a') : '')),
  )
  await page.goto(`${origin}/console/users`)
  await until(page, 'window.shownAt > 0')
  await repeat(20, () => change(page, click('Next')))
  const before = await heapOf(devtools)
  const changes = await repeat(pageChanges, () => change(page, click('Next')))
  const grown = ((await heapOf(devtools)) - before) / mebibyte
  await close()
  const all = [...next, ...last, ...sort, ...filter, ...search, ...changes]
  return [
    figure('next page', next),
    figure('last page and back', last),
    figure('sort', sort),
    figure('filter', filter),
    figure('search', search),
    {
      name: 'search, asked for after the last key',
      values: { milliseconds: median(search.map(({ asked }) => asked)) },
      target: { value: 'milliseconds', atLeast: 250, atMost: askedWithin },
    },
    {
      name: 'most requests of a change',
      values: { requests: Math.max(...all.map(({ requests }) => requests)) },
      target: { value: 'requests', atMost: 1 },
    },
    { name: `${pageChanges} page changes keep`, values: { MiB: grown }, target: { value: 'MiB', atMost: 5 } },
  ]
}
