import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

interface PageFiles {
  script: string
  imports: string[]
  style: string
  words: Record<string, string[]>
}

/** Bytes. */
const kilo = 1024

/** Most kB of the first load of a page, gzipped, script and style together. */
export const budgets: Record<string, number> = { 'sign-in': 33, account: 45, console: 65 }
/** Most kB of all scripts and styles, gzipped, and on the disk with their compressed copies; Swagger UI, which `/docs` alone loads, apart. */
export const allBudgets = { gzipped: 145, disk: 660, docs: 480 }
const isOfDocs = (name: string): boolean => name.startsWith('docs-')

/** Sizes of the built pages in `folder`, in kB. */
export const measureSizes = (folder: string) => {
  const names = readdirSync(folder)
  const gzipped = (name: string): number => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / kilo
  const sum = (list: number[]): number => list.reduce((total, one) => total + one, 0)
  const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as Record<string, PageFiles>
  const firstLoads = Object.entries(pages)
    .filter(([page]) => page in budgets)
    .flatMap(([page, { script, imports, style, words }]) =>
      Object.entries(words).map(([language, table]) => ({
        page,
        language,
        size: sum([script, ...imports, style, ...table].map(gzipped)),
      })),
    )
  const texts = names.filter((name) => /\.(js|css)$/.test(name))
  const others = names.filter((name) => !isOfDocs(name))
  return {
    firstLoads,
    gzipped: sum(texts.filter((name) => !isOfDocs(name)).map(gzipped)),
    docs: sum(texts.filter(isOfDocs).map(gzipped)),
    disk: sum(others.map((name) => statSync(join(folder, name)).size)) / kilo,
  }
}
