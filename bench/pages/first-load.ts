import type { Browser } from 'playwright-core'
import { median, type Figure } from '../part.js'
import { firstPaint, openFresh, until, type Conditions } from './browser.js'

/** A phone of some years ago in a slow network. */
const slow: Conditions = { slowdown: 4, speed: 1.6e6, roundTrip: 150 }

/** Milliseconds until the form can be used. */
const formShown = `(() => new Promise((resolve) => {
  const look = () => document.querySelector('[name=password]') ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))) : setTimeout(look, 1)
  look()
}))()`

const measureEmpty = async (browser: Browser, origin: string, conditions: Conditions): Promise<number> => {
  const { page, close } = await openFresh(browser, conditions)
  await page.goto(`${origin}/empty`)
  const time = await firstPaint(page)
  await close()
  return time
}

const signIn = async (
  browser: Browser,
  origin: string,
  name: string,
  conditions: Conditions,
  atMost: number,
  rounds: number,
): Promise<Figure> => {
  const times: { paint: number; form: number; empty: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const empty = await measureEmpty(browser, origin, conditions)
    const { page, close } = await openFresh(browser, conditions)
    await page.goto(`${origin}/sign-in`)
    const form = await page.evaluate<number>(formShown)
    times.push({ paint: (await firstPaint(page)) - empty, form: form - empty, empty })
    await close()
  }
  return {
    name,
    values: {
      more: median(times.map(({ paint }) => paint)),
      'form, more': median(times.map(({ form }) => form)),
      'empty page': median(times.map(({ empty }) => empty)),
    },
    target: { value: 'more', atMost },
  }
}

/** Of a page for whom is signed in: until `shown`, an expression, has the time. Milliseconds, with those of an empty page before it. */
const openSignedIn = async (browser: Browser, origin: string, path: string, shown: string) => {
  const empty = await measureEmpty(browser, origin, {})
  const { page, close } = await openFresh(browser, {}, origin)
  await page.goto(origin + path)
  await until(page, shown)
  const time = await page.evaluate<number>(shown)
  await close()
  return { time, empty }
}

/** The list of users, and in turns with it the documentation. */
const signedIn = async (browser: Browser, origin: string, rounds: number): Promise<Figure[]> => {
  const lists: { time: number; empty: number }[] = []
  const documents: number[] = []
  for (let round = 0; round < rounds; round++) {
    lists.push(await openSignedIn(browser, origin, '/console/users', 'window.shownAt'))
    documents.push((await openSignedIn(browser, origin, '/docs/', 'window.operationAt')).time)
  }
  const list = median(lists.map(({ time }) => time))
  const shown = median(documents)
  return [
    {
      name: 'console, list of users shown',
      values: {
        more: median(lists.map(({ time, empty }) => time - empty)),
        'empty page': median(lists.map(({ empty }) => empty)),
      },
      target: { value: 'more', atMost: 400 },
    },
    {
      name: '/docs, first operation shown',
      values: { shown, 'times the list of users': shown / list },
      target: { value: 'times the list of users', atMost: 2 },
    },
  ]
}

/** From the begin of the navigation with an empty cache, each in turns with an empty page, whose time is taken off. Milliseconds. */
export const firstLoads = async (browser: Browser, origin: string, rounds: number): Promise<Figure[]> => [
  await signIn(browser, origin, 'sign-in, first paint', {}, 150, rounds),
  await signIn(browser, origin, 'sign-in, first paint, 4x slower, 1.6 Mbit/s, 150 ms', slow, 1200, rounds),
  ...(await signedIn(browser, origin, rounds)),
]
