// What `npm run dev` runs: compiles on every change into a folder of its own, so that a server that runs from `dist/` is
// left alone, and restarts the service with what came of it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeClientTypes } from './write-client-types.js'

const root = join(import.meta.dirname, '..')
const built = join(root, '.dev')
const program = join(built, 'server.js')

/** @type {import('node:child_process').ChildProcess[]} */
const children = []
const run = (/** @type {string[]} */ ...args) => {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  child.once('exit', (code) => end(code ?? 1))
  children.push(child)
}

const ending = new AbortController()
const end = (/** @type {number} */ code) => {
  if (ending.signal.aborted) return
  ending.abort()
  process.exitCode = code
  for (const child of children) child.kill('SIGTERM')
}
process.once('SIGINT', () => end(130))
process.once('SIGTERM', () => end(143))

await writeClientTypes()
const project = ['-p', join(root, 'tsconfig.build.json'), '--outDir', built]
run(join(root, 'node_modules/@typescript/native/bin/tsc'), ...project, '--watch', '--preserveWatchOutput')
run(join(root, 'scripts/build-pages.js'), join(built, 'pages'), '--watch')
while (!existsSync(program) && !ending.signal.aborted) await setTimeout(100)
if (!ending.signal.aborted) run('--watch', '--watch-preserve-output', program)
