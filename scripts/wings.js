// The wings of plugins/, and on what their doors depend: the decorators that they use. `npm run imports` runs it after the rules for imports.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** From top to bottom: a part knows only its own wing and those below, by imports as by the decorators that its door uses. */
export const wings = ['http', 'beside', 'people', 'entry', 'identity', 'sessions', 'throttle', 'record', 'run']

const root = join(import.meta.dirname, '..', 'plugins')
const nameOfDoor = new RegExp(`name: '((?:${wings.join('|')})(?:/[^']+)?)'`)

/**
 * @typedef {{ file: string, name: string, makes: string[], uses: string[] }} Door
 * `makes` and `uses` are decorators of the app.
 */

const namesIn = (/** @type {string} */ list) =>
  list
    .split(',')
    .map((part) => /^\s*(\w+)/.exec(part)?.[1] ?? '')
    .filter((name) => name !== '')

const matches = (/** @type {string} */ text, /** @type {RegExp} */ pattern) =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

/** What a room takes of the app: a door may give it the app as a whole. */
const neededIn = (/** @type {string} */ text) =>
  matches(text, /\bNeeds<([^>]*)>/g).flatMap((list) => matches(list, /'(\w+)'/g))

/** What a door takes of the app: by name, by `const { … } = app`, or as a parameter. */
const usedIn = (/** @type {string} */ text) => [
  ...matches(text, /\bapp\.(\w+)/g),
  ...matches(text, /\{([^{}]*)\}\s*=\s*app\b(?!\.)/g).flatMap(namesIn),
  ...matches(text, /async \(\{([^{}]*)\}/g).flatMap(namesIn),
]

/**
 * The doors of the wings.
 * @returns {Door[]}
 */
export const doors = () => {
  const found = []
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  for (const [file, text] of texts) {
    const name = nameOfDoor.exec(text)?.[1]
    if (name === undefined || !text.includes("from 'fastify-plugin'")) continue
    const makes = matches(text, /\bapp\.decorate\(\s*'(\w+)'/g)
    const rooms = basename(file) === 'index.ts' ? files.filter((one) => one.startsWith(`${dirname(file)}/`)) : []
    const uses = [...usedIn(text), ...rooms.flatMap((room) => neededIn(texts.get(room) ?? ''))]
    found.push({ file, name, makes, uses: [...new Set(uses)] })
  }
  return found
}

/**
 * The names of doors in the order in which they start: those that `app.ts` lists, then those of `http/index.ts`.
 * @returns {string[]}
 */
export const startOrder = () =>
  /** @type {[file: string, folder: string, list: RegExp][]} */ ([
    ['../app.ts', '.', /const features: [^=]*= \[([^\]]*)\]/],
    ['http/index.ts', 'http', /const inOrder[^=]*= \[([^\]]*)\]/],
  ]).flatMap(([file, folder, list]) => {
    const text = readFileSync(join(root, file), 'utf8')
    const placeOf = new Map(
      [...text.matchAll(/^import (\w+).* from '(\.[^']+)\.js'/gm)].map(([, name = '', path = '']) => [
        name,
        join(folder, path.replace('./plugins/', '')).replace(/\/index$/, ''),
      ]),
    )
    const listed = (list.exec(text)?.[1] ?? '').replaceAll(/\/\/.*$/gm, '')
    return matches(listed, /(\w+)\)?,/g).map((name) => placeOf.get(name) ?? name)
  })

/** @type {(name: string) => number} */
const depthOf = (name) => wings.indexOf(name.split('/')[0] ?? '')

/**
 * On which doors each depends: those that make what it uses.
 * @type {(found: Door[]) => { file: string, name: string, dependencies: string[] }[]}
 */
const dependenciesOf = (found) => {
  const maker = new Map(found.flatMap(({ name, makes }) => makes.map((decorator) => [decorator, name])))
  return found.map(({ file, name, uses }) => {
    const makers = uses.map((decorator) => maker.get(decorator)).filter((one) => one !== undefined && one !== name)
    return { file, name, dependencies: /** @type {string[]} */ ([...new Set(makers)]) }
  })
}

/**
 * What is wrong with doors, a sentence each.
 * @type {(found?: Door[], order?: string[]) => string[]}
 */
export const faultsOfDoors = (found = doors(), order = startOrder()) =>
  dependenciesOf(found).flatMap(({ file, name, dependencies }) => [
    ...(file === `${name}.ts` || file === join(name, 'index.ts') ? [] : [`plugins/${file} is named ${name}`]),
    ...dependencies
      .filter((one) => depthOf(one) < depthOf(name))
      .map(
        (one) => `${name} depends on ${one}, which is above it: it has to get what it needs as an option, in app.ts`,
      ),
    ...dependencies
      .filter((one) => order.includes(name) && order.indexOf(one) > order.indexOf(name))
      .map((one) => `${name} uses what ${one} makes, which starts after it: put it below, in app.ts`),
  ])

if (import.meta.filename === process.argv[1]) {
  const found = doors()
  const faults = faultsOfDoors(found)
  const count = dependenciesOf(found).reduce((sum, { dependencies }) => sum + dependencies.length, 0)
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.stdout.write(
    `${found.length} doors in ${wings.length} wings depend on ${count} others, ${faults.length} of them wrongly.\n`,
  )
  process.exitCode = faults.length > 0 ? 1 : 0
}
