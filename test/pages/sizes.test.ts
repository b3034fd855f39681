import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { programs, root } from '../helpers/processes/project.js'

/** Bytes. */
const kilo = 1024
const folder = join(programs, 'pages')
const names = readdirSync(folder)
const gzipped = (name: string): number => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length
const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as Record<
  string,
  { script: string; imports: string[]; style: string; words: Record<string, string> }
>

/** Of the first load, script and style together, gzipped. */
const budgets: Record<string, number> = { 'sign-in': 30, account: 45 }

for (const [page, { script, imports, style, words }] of Object.entries(pages)) {
  test(`the first load of ${page} is at most ${budgets[page] ?? 0} kB`, async (t) => {
    for (const [language, table] of Object.entries(words)) {
      const size = [script, ...imports, style, table].map(gzipped).reduce((sum, one) => sum + one, 0)
      t.comment(`${page} in ${language}: ${(size / kilo).toFixed(1)} kB`)
      t.ok(size <= (budgets[page] ?? 0) * kilo, `${language}: ${(size / kilo).toFixed(1)} kB`)
    }
  })
}

test('all scripts and styles are at most 110 kB, gzipped, and 600 kB on the disk with their compressed copies', async (t) => {
  const texts = names.filter((name) => /\.(js|css)$/.test(name))
  const sum = (list: number[]): number => list.reduce((total, one) => total + one, 0)
  t.ok(sum(texts.map(gzipped)) <= 110 * kilo)
  t.ok(sum(names.map((name) => statSync(join(folder, name)).size)) <= 600 * kilo)
  for (const name of texts)
    for (const ending of ['br', 'gz']) t.ok(names.includes(`${name}.${ending}`), `${name}.${ending}`)
})

const sources = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Read by a name that is known only when the page runs: `words[kind]`. */
const byName = ['met', 'unmet', 'phone', 'email']

for (const page of Object.keys(budgets))
  test(`each word of ${page} is used, and both languages have a text for it`, async (t) => {
    const text = sources(join(root, 'pages'))
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('/words/'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
    const load = async (language: string) =>
      (await import(join(root, 'pages/words', language, `${page}.ts`))) as Record<
        'words' | 'frame',
        Record<string, unknown>
      >
    const [en, zh] = [await load('en'), await load('zh')]
    for (const table of ['words', 'frame'] as const) {
      t.strictSame(Object.keys(zh[table]).sort(), Object.keys(en[table]).sort())
      for (const [key, value] of Object.entries(en[table])) {
        const isUsed = new RegExp(`\\b${table}\\.${key}\\b`).test(text) || byName.includes(key)
        t.ok(isUsed, `${table}.${key}`)
        t.not(zh[table][key], value)
      }
    }
  })

test('no script of the pages puts a token into the storage of the browser, or markup into the page', async (t) => {
  const scripts = sources(join(root, 'pages')).filter((path) => /\.tsx?$/.test(path))
  const keys = scripts.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/Key = '(rollcall-[^']+)'/g)].map(([, key]) => key),
  )
  t.strictSame(keys.sort(), [
    'rollcall-language',
    'rollcall-linking',
    'rollcall-provider',
    'rollcall-signed-in',
    'rollcall-theme',
  ])
  for (const path of scripts) {
    const text = readFileSync(path, 'utf8')
    t.notMatch(text, /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/, path)
    for (const [, key] of text.matchAll(/Storage\.setItem\(([^,]+),/g))
      t.match(key, /^(storage|begun|linking)Key$/, path)
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
