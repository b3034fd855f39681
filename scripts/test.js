// What `npm test` runs: the compiled tests, several of a wing in one process, because to load the service and to compile
// its schemas takes longer than most tests.
//
//     npm test                            all of it
//     npm test -- test/sessions           a folder
//     npm test -- test/identity/login/login.test.ts   a file; options go to tap
//     npm run test:long                   what takes longer, files called *.long.test.ts, as well
//
// Prints the failures and a summary; every assertion is in build/test/output. `--reporter=tap` prints all.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { skippedParts } from './servers.js'

if (process.argv.includes('--long')) process.env['ROLLCALL_TEST_LOOKS'] = 'all'
// Files and mails have the time zone of the process.
process.env['TZ'] = 'UTC'

const root = join(import.meta.dirname, '..')
const built = join(root, 'build')
const processes = join(built, 'test/processes')
/** So many files of a wing share a process: more would leave one core without work at the end. Those in a browser take longest. */
const shareOf = (/** @type {string} */ wing) => (wing === 'pages' || wing === 'browser' ? 4 : 24)

const isLong = process.argv.includes('--long')
const isOption = (/** @type {string} */ argument) => argument.startsWith('-')
const options = process.argv.slice(2).filter((argument) => isOption(argument) && argument !== '--long')
const chosen = process.argv.slice(2).filter((argument) => !isOption(argument))

const isLeftOut = (/** @type {string} */ file) => !isLong && file.endsWith('.long.test.js')
/** @type {string[]} */
const leftOut = []

/** The compiled test files of a folder or file, however it is named. */
const find = (/** @type {string} */ name) => {
  const path = relative(root, join(process.cwd(), name))
    .replace(/^build\//, '')
    .replace(/\.ts$/, '.js')
  // A file that is named itself is meant, however long it takes.
  if (path.endsWith('.js')) return existsSync(join(built, path)) ? [path] : []
  const found = globSync(join(path, '**/*.test.js'), { cwd: built })
  leftOut.push(...found.filter(isLeftOut))
  return found.filter((file) => !isLeftOut(file))
}

const files = (chosen.length > 0 ? chosen : ['.']).flatMap((name) => {
  const found = find(name)
  if (found.length > 0) return found
  process.stderr.write(
    `There are no tests in ${name}. Name a folder or a file, such as test/sessions or test/identity/login/login.test.ts.\n`,
  )
  process.exit(2)
})

/** The folder of `test/` in which a file lies, or the folder that has tests of its own: `guests/console/test/` belongs to `console`. */
const wingOf = (/** @type {string} */ file) => {
  const [first = '', second = ''] = file.split('/')
  return first === 'test' || first === 'guests' ? second : first
}

/** @type {Map<string, string[]>} */
const wings = new Map()
for (const file of files.toSorted()) wings.set(wingOf(file), [...(wings.get(wingOf(file)) ?? []), file])

rmSync(processes, { recursive: true, force: true })
mkdirSync(processes)
const modules = [...wings].flatMap(([wing, inWing]) => {
  const share = shareOf(wing)
  return Array.from({ length: Math.ceil(inWing.length / share) }, (_, index) => {
    const module = join(processes, `${wing}-${index + 1}.js`)
    const imports = inWing
      .slice(index * share, (index + 1) * share)
      .map((file) => `import '${relative(processes, join(built, file))}'\n`)
    writeFileSync(module, imports.join(''))
    return relative(root, module)
  })
})

for (const line of await skippedParts(isLong)) process.stdout.write(line)
if (leftOut.length > 0) process.stdout.write(`Left out, npm run test:long runs them: ${leftOut.join(', ')}\n`)

const tap = join(root, 'node_modules/tap/dist/esm/run.mjs')
// With its list of plugins (.taprc) tap builds a library of its own, but only for the next run: the first would still load
// a compiler into every process.
if (!existsSync(join(root, 'node_modules/@tapjs/test/test-built/node_modules'))) {
  spawnSync(process.execPath, [tap, 'build'], { cwd: root, stdio: 'inherit' })
}
const output = join(built, 'test/output')
rmSync(output, { recursive: true, force: true })
const hasReporter = options.some((option) => option.startsWith('--reporter') || option.startsWith('-R'))
const limits = isLong ? ['--timeout=7200'] : []
// To read the maps of all modules takes a fourteenth of the time; without them a failure names lines of build/.
const maps = process.env['CI'] ? ['--node-arg=--max-semi-space-size=64', '--node-arg=--no-enable-source-maps'] : []
const reporting = [`--output-dir=${relative(root, output)}`, ...(hasReporter ? [] : ['--reporter=terse'])]
// The reporter redraws its counters in a terminal. Elsewhere it prints the last ones only, if it sees this variable.
const environment = process.stdout.isTTY ? process.env : { ...process.env, CI: 'true' }
const child = spawn(process.execPath, [tap, ...reporting, ...limits, ...maps, ...options, ...modules], {
  cwd: root,
  stdio: 'inherit',
  env: environment,
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))
/** How many of the slowest tests are named. */
const named = 8
const slowest = (/** @type {[name: string, milliseconds: string][]} */ times) =>
  times
    .sort(([, one], [, other]) => Number(other) - Number(one))
    .slice(0, named)
    .map(([name, milliseconds]) => `  ${(Number(milliseconds) / 1000).toFixed(0).padStart(4)} s  ${name}`)
    .join('\n')

child.on('exit', (code) => {
  process.exitCode = code ?? 1
  if (!existsSync(output)) return
  const written = globSync('**/*.tap', { cwd: output }).map((file) => readFileSync(join(output, file), 'utf8'))
  /** @type {[string, string][]} */
  const tests = written.flatMap((text) =>
    [...text.matchAll(/^ok \d+ - (.*) # time=([\d.]+)ms/gm)].map(([, name = '', time = '']) => [name, time]),
  )
  if (process.env['CI']) process.stdout.write(`The slowest tests:\n${slowest(tests)}\n`)
  if (code === 0) return
  // Tests of random input say the seed that makes them repeatable in a comment, which the summary leaves out.
  const seeds = written.flatMap((text) => text.match(/# seed .*/g) ?? [])
  process.stdout.write(`All assertions are in ${relative(process.cwd(), output)}.\n${[...new Set(seeds)].join('\n')}\n`)
})
