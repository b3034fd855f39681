// Builds the pages of `pages/` into a folder, each text file also compressed.
//
//     node scripts/build-pages.js FOLDER [--watch]
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = join(import.meta.dirname, '../pages')

const languages = ['en', 'zh']

/** @param {string[]} names */
const entriesOf = (names) => Object.fromEntries(names.map((name) => [name, join(root, name, 'main.tsx')]))

/** Each is an entry: what one page needs is not loaded by another. Those of one build share scripts. */
const builds = [
  { entries: entriesOf(['sign-in', 'account', 'console']), name: '[name]-[hash]' },
  { entries: entriesOf(['docs']), name: 'docs-[hash]' },
]

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
  return Object.fromEntries(
    Object.entries(entries).map(([name, module]) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module)
      const loaded = chunks.filter(({ fileName }) => fileName === chunk?.fileName || chunk?.imports.includes(fileName))
      const [style] = loaded.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
      const words = Object.fromEntries(
        languages.map((language) => [language, fileOf(join(root, 'words', language, `${name}.ts`))]),
      )
      return [name, { script: chunk?.fileName, imports: chunk?.imports, style, words }]
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
            // What all pages load is one script: several are larger, because each is compressed alone. Of the words one language is loaded.
            codeSplitting: { groups: [{ name: 'shared', test: /^(?!.*\/words\/)/, minShareCount: 3 }] },
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
