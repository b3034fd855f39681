import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { root } from '../processes/project.js'
import { pageOrigin } from '../service/passkeys.js'
import { merge, startServer, type ServerOptions, type TestServer } from '../service/server.js'
import { openBrowser } from './browser.js'

const allLanguages = ['en', 'zh'] as const
export type Language = (typeof allLanguages)[number]
const chosen = process.env['ROLLCALL_TEST_LANGUAGES']?.split(',')
/** In which the flows are driven. The gate takes one of them, for its time. */
export const languages = allLanguages.filter((language) => chosen?.includes(language) ?? true)

/** Sentences one after the other, as the pages write them. */
export const sentencesIn = (language: string, ...texts: string[]): string => texts.join(language === 'zh' ? '' : ' ')

type Words = Record<string, any>
/** The words of a page, from its own table. */
export const wordsOf = async (language: Language, page = 'sign-in'): Promise<Words & { frame: Words }> => {
  const table = (await import(join(root, 'pages/words', language, `${page}.ts`))) as Record<
    'words' | 'frame',
    Words
  > & {
    questions?: Words
  }
  return { ...table.words, frame: { ...table.frame, ...table.questions } }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe-core finds, as one line each. */
export const audit = async (page: Page): Promise<string[]> => {
  // Evaluated by the debugger, which no content security policy forbids.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe)
  const found = await page.evaluate(
    async (values) =>
      (globalThis as any).axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] }) as Promise<any>,
    tags,
  )
  return (found.violations as { id: string; nodes: { html: string; failureSummary: string }[] }[]).flatMap(
    ({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** The documented words of `autocomplete` by the name of the input, in the order of the page or of its dialog. */
const autocomplete = (page: Page): Promise<Record<string, string | null>> =>
  page.evaluate(() => {
    const { document } = globalThis as any
    const inputs = 'input:not([type=checkbox], [type=radio], [type=file])'
    return Object.fromEntries(
      [...(document.querySelector('dialog[open]') ?? document).querySelectorAll(inputs)].map((input: any) => [
        input.name,
        input.getAttribute('autocomplete'),
      ]),
    )
  })

/** Each state is looked at in all four by its two languages: the colors do not depend on the words. */
const looks = {
  en: [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 320 },
  ],
  zh: [
    { colorScheme: 'light', width: 320 },
    { colorScheme: 'dark', width: 1280 },
  ],
} as const

/** axe takes longest: `npm run test:long` measures each state in both looks, `npm test` in one and the next state in the other. */
const measuresAllLooks = process.env['ROLLCALL_TEST_LOOKS'] === 'all'

const focused = (): string => {
  const { activeElement } = (globalThis as any).document
  return activeElement.name || activeElement.getAttribute('role') || activeElement.tagName.toLowerCase()
}
const isFocused = (name: string): boolean => {
  const { activeElement } = (globalThis as any).document
  return [activeElement.name, activeElement.getAttribute('role'), activeElement.tagName.toLowerCase()].includes(name)
}

/**
 * Resolves when the page has been painted with `width`, and no color is on its way to another one. A browser that has nothing to paint may
 * call nobody back: no step waits for longer than a quarter of a second, and what is not there after five seconds is a fault.
 */
const settle = async (width: number): Promise<void> => {
  const window = globalThis as any
  const wait = (what: Promise<unknown>, time: number) =>
    Promise.race([what, new Promise((resolve) => window.setTimeout(resolve, time))])
  const paint = () => wait(new Promise((resolve) => window.requestAnimationFrame(resolve)), 250)
  const end = performance.now() + 5000
  do await paint()
  while (window.innerWidth !== width && performance.now() < end)
  if (window.innerWidth !== width) throw new Error(`the page is ${window.innerWidth} px wide, not ${width}`)
  await paint()
  const transitions = window.document.getAnimations().filter((one: object) => one instanceof window.CSSTransition)
  await wait(Promise.allSettled(transitions.map(({ finished }: { finished: Promise<unknown> }) => finished)), 5000)
}

const folder = process.env['ROLLCALL_TEST_SCREENSHOTS']

export interface State {
  /** Of the window, without the name of the service. */
  title: string
  /** Name or tag of the element with the focus. */
  focus: string
  autocomplete?: Record<string, string>
}

export interface Opening {
  /** Whose words are used; absent means the sign-in page. */
  table?: 'sign-in' | 'account' | 'console'
  language?: Language
  /** Of the pictures. */
  name: string
  /** How many requests are refused. */
  refusals?: number
  /** Origin of the page, with a prefix; absent means the server at `localhost`, which may have passkeys. */
  host?: string
  /** Further ones of Chromium. */
  flags?: string[]
  /** Before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>
}

/** Without the account page a sign-in ends on a page of its own. */
export const withoutAccount = (options: ServerOptions = {}): ServerOptions => ({
  ...options,
  settings: merge({ pages: { account: false } }, options.settings ?? {}),
})
export const startSignIn = (t: Test, options?: ServerOptions) => startServer(t, withoutAccount(options))

/** Fills in the sign-in page, and sends it. */
export const fillSignIn = async (page: Page, username: string, password: string): Promise<void> => {
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  await page.locator('form .primary').click()
}

/** Opens a page of the service in Chromium; at the end nothing may have been complained about or asked of another host. */
export const openPage = async (
  t: Test,
  server: TestServer,
  path: string,
  { language = 'en', table = 'sign-in', name, refusals = 0, host: opened, flags = [], prepare }: Opening,
) => {
  const { page, complaints, hosts, isWaiting } = await openBrowser(t, [
    `--lang=${language === 'zh' ? 'zh-CN' : 'en'}`,
    ...flags,
  ])
  page.setDefaultTimeout(30_000)
  const origin = opened ?? pageOrigin(server)
  await prepare?.(page)
  const { host } = new URL(origin)
  await page.setExtraHTTPHeaders({ 'accept-language': language === 'zh' ? 'zh-CN' : 'en' })
  await page.goto(origin + path)
  // The document has none before the script has run.
  await page.locator(table === 'sign-in' ? 'footer' : '.side').waitFor()
  let shots = 0
  /** Until nothing that the page has asked for is open, but no longer than a second. */
  const answered = async () => {
    for (const end = Date.now() + 1000; isWaiting() && Date.now() < end;) await setTimeout(10)
  }

  return {
    page,
    answered,
    origin,
    hosts,
    complaints,
    words: await wordsOf(language, table),

    /** Asserts what each state must have: title, focus, fields, nothing that is too wide in any look, and nothing that axe finds in one of them. */
    async check(state: State): Promise<void> {
      shots += 1
      // An answer that comes while axe measures would move what it has measured. A test may also hold one back.
      await answered()
      // The title is set and the focus moves after the browser has painted.
      await page
        .waitForFunction((title) => (globalThis as any).document.title.split(' · ')[0] === title, state.title, {
          timeout: 5000,
        })
        .catch(() => undefined)
      await page.waitForFunction(isFocused, state.focus, { timeout: 5000 }).catch(() => undefined)
      const focus = await page.evaluate(focused)
      const at = `${name} ${shots} ${state.title}`
      t.equal((await page.title()).split(' · ')[0], state.title, `${at}: title`)
      t.equal(focus, state.focus, `${at}: focus`)
      if (state.autocomplete) t.strictSame(await autocomplete(page), state.autocomplete, `${at}: autocomplete`)
      for (const [index, { colorScheme, width }] of (folder ? [...looks.en, ...looks.zh] : looks[language]).entries()) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 720 })
        await page.evaluate(settle, width)
        if (measuresAllLooks || index === shots % 2)
          t.strictSame(await audit(page), [], `${at}: axe, ${colorScheme}, ${width} px`)
        const overflow = await page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth)
        t.ok(overflow <= width, `${at}: nothing is wider than ${width} px`)
        if (folder)
          await page.screenshot({
            path: join(folder, `${name}-${shots}-${language}-${colorScheme}-${width}.png`),
            fullPage: true,
          })
      }
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 720 })
    },

    /** Asserts that there were only as many complaints as requests that had to be refused. */
    end(): void {
      const refused = complaints.filter((text) => /status of 4\d\d/.test(text))
      t.equal(refused.length, refusals, `refused requests: ${refused.join()}`)
      t.strictSame(
        complaints.filter((text) => !refused.includes(text)),
        [],
        'complaints',
      )
      t.strictSame(
        [...hosts].filter((name) => name !== host && name !== ''),
        [],
        'other hosts',
      )
    },

    /** Fills in the form by the names of its inputs, and sends it. */
    async send(values: Record<string, string>): Promise<void> {
      for (const [name, value] of Object.entries(values)) await page.locator(`[name=${name}]:not(.sr)`).fill(value)
      await page.locator('form .primary').click()
    },

    heading: (text: string | RegExp) => page.getByRole('heading', { name: text }).waitFor(),
    button: (text: string) => page.getByRole('button', { name: text, exact: true }).click(),
    link: (text: string) => page.getByRole('link', { name: text, exact: true }).click(),
    signIn: (username: string, password: string) => fillSignIn(page, username, password),
  }
}

export type OpenPage = Awaited<ReturnType<typeof openPage>>
