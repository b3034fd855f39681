// Builds the pages of `pages/` into a folder, each text file also compressed.
//
//     node scripts/build-pages.js FOLDER [--watch]
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = join(import.meta.dirname, '../pages')

const languages = ['en', 'zh']

/** @param {string[]} names */
const entriesOf = (names) => Object.fromEntries(names.map((name) => [name, join(root, name, 'main.tsx')]))

/** @typedef {import('vite').Rolldown.ChunkingContext} Graph */

/** Each is an entry: what one page needs is not loaded by another. Those of one build share scripts. */
const builds = [
  { entries: entriesOf(['sign-in', 'account', 'console']), name: '[name]-[hash]' },
  { entries: entriesOf(['docs']), name: 'docs-[hash]' },
]

/**
 * The scripts of several pages: what the same pages need is one, because several are larger, each compressed alone, and what is loaded
 * later needs none of another page. Left to itself, the bundler counts what a page loads later as a page of its own, takes scripts
 * apart for it, and gives to all what only one needs.
 *
 * @param {string[]} pages The modules with which they begin.
 * @returns {import('vite').Rolldown.CodeSplittingGroup[]}
 */
const scriptsOf = (pages) => {
  const needs = (/** @type {string} */ page, /** @type {Graph} */ graph, isLater = false) => {
    const ids = new Set([page])
    // A set hands out what is added while it is walked through.
    for (const id of ids) {
      const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {}
      for (const imported of isLater ? [...importedIds, ...dynamicallyImportedIds] : importedIds) ids.add(imported)
    }
    return ids
  }
  // What most pages need comes first, because a script takes with it what it imports.
  return pages.map((_, index) => ({
    name: (module, graph) => {
      if (!pages.some((page) => needs(page, graph).has(module))) return null
      const needing = pages.filter((page) => needs(page, graph, true).has(module))
      return needing.length === pages.length - index ? needing.map((page) => basename(dirname(page))).join('-') : null
    },
    // Of the words one language is loaded.
    test: /^(?!.*\/words\/)/,
    priority: pages.length - index,
  }))
}

/**
 * What the server needs to know to write the documents: `plugins/http/pages/page-files.ts` reads it.
 *
 * @param {import('vite').Rolldown.OutputBundle} bundle
 * @param {Record<string, string>} entries
 */
const pagesOf = (bundle, entries) => {
  const outputs = Object.values(bundle)
  const chunks = outputs.filter((output) => output.type === 'chunk')
  const fileOf = (/** @type {string} */ module) =>
    chunks.find(({ facadeModuleId }) => facadeModuleId === module)?.fileName
  const withImports = (/** @type {string | undefined} */ first) => {
    const loaded = new Set([first])
    for (const name of loaded)
      for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) loaded.add(imported)
    return loaded
  }
  return Object.fromEntries(
    Object.entries(entries).map(([name, module]) => {
      const script = fileOf(module)
      const loaded = withImports(script)
      const imports = [...loaded].filter((name) => name !== script)
      const [style] = chunks
        .filter(({ fileName }) => loaded.has(fileName))
        .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
      const words = Object.fromEntries(
        languages.map((language) => {
          const files = withImports(fileOf(join(root, 'words', language, `${name}.ts`)))
          return [language, [...files].filter((file) => !loaded.has(file))]
        }),
      )
      return [name, { script, imports, style, words }]
    }),
  )
}

/** Above it the best quality of Brotli takes seconds for each megabyte, and makes it a thirtieth smaller. */
const largest = 2 ** 18

const compress = (/** @type {string} */ folder, /** @type {string[]} */ names) => {
  for (const name of names.filter((name) => /\.(js|css)$/.test(name))) {
    const content = readFileSync(join(folder, name))
    const quality = content.length > largest ? 9 : constants.BROTLI_MAX_QUALITY
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length, [constants.BROTLI_PARAM_QUALITY]: quality }
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }))
  }
}

/** Builds into `folder`, which may not exist yet. */
export const buildPages = async (/** @type {string} */ folder, /** @type {boolean} */ watch = false) => {
  /** Of all builds. @type {Record<string, object>} */
  let pages = {}
  for (const [index, { entries, name }] of builds.entries())
    await build({
      root,
      configFile: false,
      envDir: false,
      publicDir: false,
      logLevel: 'warn',
      // Assets are found relative to one another, below whatever prefix they are served.
      base: './',
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      worker: { format: 'es' },
      plugins: [
        {
          name: 'rollcall',
          writeBundle: (_options, bundle) => {
            pages = { ...pages, ...pagesOf(bundle, entries) }
            writeFileSync(join(folder, 'pages.json'), JSON.stringify(pages))
            compress(folder, Object.keys(bundle))
          },
        },
      ],
      build: {
        outDir: folder,
        emptyOutDir: index === 0,
        assetsDir: '',
        target: ['chrome123', 'firefox128', 'safari17.5'],
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        chunkSizeWarningLimit: 2000,
        watch: watch ? {} : null,
        rolldownOptions: {
          // To compress takes longer than to build.
          checks: { pluginTimings: false },
          input: entries,
          output: {
            ...(Object.keys(entries).length > 1 && { codeSplitting: { groups: scriptsOf(Object.values(entries)) } }),
            entryFileNames: `${name}.js`,
            chunkFileNames: `${name}.js`,
            assetFileNames: `${name}[extname]`,
          },
        },
      },
    })
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '', option] = process.argv.slice(2)
  await buildPages(folder, option === '--watch')
}
