// The wings of plugins/, and what their doors depend on. `npm run imports` runs it after the rules for imports.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** From top to bottom: a part knows only its own wing and those below, by imports as by the `dependencies` of its door. */
export const wings = ['http', 'beside', 'people', 'entry', 'identity', 'sessions', 'throttle', 'record', 'run']

const root = join(import.meta.dirname, '..', 'plugins')
const nameOfDoor = new RegExp(`name: '((?:${wings.join('|')})(?:/[^']+)?)'`)
const listOfDoor = /dependencies: \[([^\]]*)\]/

/** @typedef {{ file: string, name: string, dependencies: string[] }} Door */

/**
 * The doors of the wings with what they depend on.
 * @returns {Door[]}
 */
export const doors = () => {
  const found = []
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const text = file.endsWith('.ts') ? readFileSync(join(root, file), 'utf8') : ''
    const name = nameOfDoor.exec(text)?.[1]
    if (name === undefined || !text.includes("from 'fastify-plugin'")) continue
    const listed = listOfDoor.exec(text)?.[1] ?? ''
    found.push({ file, name, dependencies: [...listed.matchAll(/'([^']+)'/g)].map(([, one = '']) => one) })
  }
  return found
}

/** @type {(name: string) => number} */
const depthOf = (name) => wings.indexOf(name.split('/')[0] ?? '')

/**
 * What is wrong with doors, a sentence each.
 * @type {(found?: Door[]) => string[]}
 */
export const faultsOfDoors = (found = doors()) =>
  found.flatMap(({ file, name, dependencies }) => [
    ...(file === `${name}.ts` || file === join(name, 'index.ts') ? [] : [`plugins/${file} is named ${name}`]),
    ...dependencies
      .filter((one) => depthOf(one) < depthOf(name))
      .map(
        (one) => `${name} depends on ${one}, which is above it: it has to get what it needs as an option, in app.ts`,
      ),
  ])

if (import.meta.filename === process.argv[1]) {
  const found = doors()
  const faults = faultsOfDoors(found)
  const count = found.reduce((sum, { dependencies }) => sum + dependencies.length, 0)
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.stdout.write(
    `${found.length} doors in ${wings.length} wings depend on ${count} others, ${faults.length} of them wrongly.\n`,
  )
  process.exitCode = faults.length > 0 ? 1 : 0
}
