// Compiles into a new folder, which takes the place of the old one at the end. So a running server never loads half a build,
// and a build that fails leaves the old one as it is.
//
//     node scripts/build.js [dist | build]
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, join } from 'node:path'

/**
 * What is built into which folder: the service, or everything including its tests.
 * @type {Record<string, string | undefined>}
 */
const projects = { dist: 'tsconfig.build.json', build: 'tsconfig.test.json' }

const root = join(import.meta.dirname, '..')
const [target = 'dist'] = process.argv.slice(2)
const built = join(root, target)
const project = projects[target]

/** Not there where the development dependencies are not installed. */
const compiler = join(root, 'node_modules/@typescript/native/bin/tsc')

const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)
const remove = (/** @type {string} */ path) => rmSync(path, { recursive: true, force: true })

const swap = (/** @type {string} */ next) => {
  const previous = `${next}.previous`
  if (existsSync(built)) renameSync(built, previous)
  renameSync(next, built)
  remove(previous)
}

const build = async (/** @type {string} */ project) => {
  const next = mkdtempSync(`${built}.next-`)
  // mkdtemp lets only its owner in, but the service runs as another user than the one who builds.
  chmodSync(next, 0o755)
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
  process.on('exit', () => remove(next))
  // Loaded here, as what follows: the packages are not installed where the compiler is missing.
  if (existsSync(join(root, 'client'))) {
    const { writeClientTypes } = await import('./write-client-types.js')
    await writeClientTypes()
  }
  const args = [compiler, '-p', join(root, project), '--outDir', next]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  if (existsSync(join(root, 'pages'))) {
    const { buildPages } = await import('./build-pages.js')
    await buildPages(join(next, 'pages'))
  }
  // npm makes it executable when it installs the package; in a clone that is built anew nobody would, for `npx rollcall`.
  const command = join(next, 'cli/main.js')
  if (existsSync(command)) chmodSync(command, 0o755)
  // The client is a package of its own, too: `npm pack ./dist/client`.
  if (existsSync(join(next, 'client'))) {
    for (const file of ['client/package.json', 'LICENSE'])
      cpSync(join(root, file), join(next, 'client', basename(file)))
  }
  swap(next)
}

if (project === undefined) {
  say(`There is nothing to build into ${target}; say one of: ${Object.keys(projects).join(', ')}.`)
  process.exitCode = 2
} else if (existsSync(compiler)) {
  await build(project)
} else if (existsSync(built)) {
  say(`The development dependencies are not installed: ${target}/ stays as it is.`)
} else {
  say(
    'Nothing is built: npm leaves the development dependencies out with NODE_ENV=production and --omit=dev. Run `npm ci --include=dev`.',
  )
}
