// What `npm start` runs: starts the existing build, and says so if it is missing or older than the sources.
import { existsSync, readdirSync, statSync } from 'fs'
import { dirname, join } from 'path'
import { fileURLToPath } from 'url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const program = join(root, 'dist/server.js')
/** What is compiled into `dist/`. */
const sources = ['app.ts', 'server.ts', 'lib', 'plugins', 'routes', 'schemas', 'db', 'cli', 'pages']

/** @returns {number} the time of the latest change of a file, or of any file in a folder */
const lastChange = (/** @type {string} */ path) => {
  const stats = statSync(path)
  return stats.isDirectory()
    ? Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => lastChange(join(path, name))))
    : stats.mtimeMs
}

if (!existsSync(program)) {
  process.stderr.write(
    'Nothing is built yet. Run `npm ci --include=dev`, or `npm run build` where that has been done.\n',
  )
  process.exitCode = 1
} else {
  const built = statSync(program).mtimeMs
  const isNewer = (/** @type {string} */ name) => existsSync(join(root, name)) && lastChange(join(root, name)) > built
  if (sources.some(isNewer)) {
    process.stderr.write(
      'The sources are newer than the build that is started. Run `npm run build`, then start again.\n',
    )
  }
  void import('../dist/server.js')
}
