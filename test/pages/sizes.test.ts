import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { allBudgets, budgets, measureSizes } from '../../bench/pages/sizes.js'
import { programs, root } from '../helpers/processes/project.js'

const folder = join(programs, 'pages')
const names = readdirSync(folder)
const sizes = measureSizes(folder)

for (const { page, language, size } of sizes.firstLoads)
  test(`the first load of ${page} in ${language} is at most ${budgets[page] ?? 0} kB`, async (t) => {
    t.comment(`${page} in ${language}: ${size.toFixed(1)} kB`)
    t.ok(size <= (budgets[page] ?? 0), `${size.toFixed(1)} kB`)
  })

test('all scripts and styles are at most 145 kB, gzipped, and 660 kB on the disk with their compressed copies', async (t) => {
  t.comment(`gzipped: ${sizes.gzipped.toFixed(1)} kB; on the disk: ${sizes.disk.toFixed(0)} kB`)
  t.ok(sizes.gzipped <= allBudgets.gzipped)
  t.ok(sizes.disk <= allBudgets.disk)
  t.comment(`/docs with Swagger UI, gzipped: ${sizes.docs.toFixed(1)} kB`)
  t.ok(sizes.docs <= allBudgets.docs)
  for (const name of names.filter((one) => /\.(js|css)$/.test(one)))
    for (const ending of ['br', 'gz']) t.ok(names.includes(`${name}.${ending}`), `${name}.${ending}`)
})

const sources = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Read by a name that is known only when the page runs: `words[kind]`. */
const byName = ['met', 'unmet', 'phone', 'email']

type Table = Record<string, unknown>
/** The questions are asked after the sign-in only. */
type Tables = Record<'words' | 'frame', Table> & { questions?: Table }

/** The tables of words by the names under which the page reads them. Those of the console are in rooms. */
const tablesOf = (page: string, { words, frame, questions }: Tables): Record<string, Record<string, unknown>> => ({
  frame,
  ...(questions && { questions }),
  ...(page === 'console'
    ? Object.fromEntries(
        Object.entries(words).map(([room, table]) => [`words.${room}`, table as Record<string, unknown>]),
      )
    : { words }),
})

for (const page of [...Object.keys(budgets), 'docs'])
  test(`each word of ${page} is used, and both languages have a text for it`, async (t) => {
    const text = sources(join(root, 'pages'))
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('/words/'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
    const load = async (language: string) => (await import(join(root, 'pages/words', language, `${page}.ts`))) as Tables
    const [en, zh] = [await load('en'), await load('zh')]
    const chinese = tablesOf(page, zh)
    for (const [table, values] of Object.entries(tablesOf(page, en))) {
      t.strictSame(Object.keys(chinese[table] ?? {}).sort(), Object.keys(values).sort())
      for (const [key, value] of Object.entries(values)) {
        const isUsed = new RegExp(`\\b${table}\\.${key}\\b`).test(text) || byName.includes(key)
        t.ok(isUsed, `${table}.${key}`)
        t.not(chinese[table]?.[key], value)
      }
    }
  })

test('no script of the pages puts markup into the page, and one alone a token into the storage, for the next page', async (t) => {
  const scripts = sources(join(root, 'pages')).filter((path) => /\.tsx?$/.test(path))
  const keys = scripts.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/Key = '(rollcall-[^']+)'/g)].map(([, key]) => key),
  )
  t.strictSame(keys.sort(), [
    'rollcall-account',
    'rollcall-end',
    'rollcall-handed-over',
    'rollcall-language',
    'rollcall-linking',
    'rollcall-provider',
    'rollcall-tab-only',
    'rollcall-tenant',
    'rollcall-theme',
  ])
  for (const path of scripts) {
    const text = readFileSync(path, 'utf8')
    t.notMatch(text, /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/, path)
    // `store` of this file keeps what its callers name.
    if (path.endsWith('stored.ts')) continue
    for (const [, key] of text.matchAll(/(?:Storage\.setItem|\bstore)\(([^,]+),/g))
      t.match(
        key,
        path.endsWith('session/tab.ts') ? /^(tab|handed|end)Key$/ : /^(storage|begun|linking|account|tenant)Key$/,
        path,
      )
  }
})

test('the pages add at most 40 packages to an installation with the development dependencies', async (t) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dependencies?: Record<string, string>; optional?: boolean; hasInstallScript?: boolean }>
  }
  const found = new Set<string>()
  const add = (name: string): void => {
    const path = `node_modules/${name}`
    // Of the packages for one platform each, one is installed.
    if (found.has(path) || packages[path] === undefined || packages[path].optional === true) return
    found.add(path)
    for (const inner of Object.keys(packages[path].dependencies ?? {})) add(inner)
  }
  for (const name of ['preact', 'preact-iso', 'preact-render-to-string', 'vite', 'axe-core']) add(name)
  // Vite and LightningCSS have one for the platform each.
  t.ok(found.size + 2 <= 40, `${found.size + 2} packages`)
  for (const path of found) t.not(packages[path]?.hasInstallScript, true, path)
})
