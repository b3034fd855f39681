// Builds the pages of `pages/` into a folder, each text file also compressed.
//
//     node scripts/build-pages.js FOLDER [--watch]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = join(import.meta.dirname, '../pages')

const languages = ['en', 'zh']

/** Each is an entry: what one page needs is not loaded by another. */
const entries = Object.fromEntries(
  ['sign-in', 'account', 'console'].map((name) => [name, join(root, name, 'main.tsx')]),
)

/**
 * What the server needs to know to write the documents: `plugins/http/pages/page-files.ts` reads it.
 *
 * @param {import('vite').Rolldown.OutputBundle} bundle
 */
const pagesOf = (bundle) => {
  const outputs = Object.values(bundle)
  const chunks = outputs.filter((output) => output.type === 'chunk')
  const style = outputs.find(({ fileName }) => fileName.endsWith('.css'))?.fileName
  const fileOf = (/** @type {string} */ module) =>
    chunks.find(({ facadeModuleId }) => facadeModuleId === module)?.fileName
  return Object.fromEntries(
    Object.entries(entries).map(([name, module]) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module)
      const words = Object.fromEntries(
        languages.map((language) => [language, fileOf(join(root, 'words', language, `${name}.ts`))]),
      )
      return [name, { script: chunk?.fileName, imports: chunk?.imports, style, words }]
    }),
  )
}

const compress = (/** @type {string} */ folder) => {
  for (const name of readdirSync(folder).filter((name) => /\.(js|css)$/.test(name))) {
    const content = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(
      join(folder, `${name}.br`),
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    )
  }
}

/** Builds into `folder`, which may not exist yet. */
export const buildPages = async (/** @type {string} */ folder, /** @type {boolean} */ watch = false) => {
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
          writeFileSync(join(folder, 'pages.json'), JSON.stringify(pagesOf(bundle)))
          compress(folder)
        },
      },
    ],
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsDir: '',
      target: ['chrome123', 'firefox128', 'safari17.5'],
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      watch: watch ? {} : null,
      rolldownOptions: {
        input: entries,
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
        },
      },
    },
  })
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '', option] = process.argv.slice(2)
  await buildPages(folder, option === '--watch')
}
