// Runs on every Node.js that supports ECMAScript modules, from 12.20 on, and says in one line that it is too old. So this
// file, and files that import it before the check, use only what Node.js 12.20 supports: no `node:` in an import, no `await`
// outside functions, no `??`.
import { readFileSync } from 'fs'

interface Manifest {
  engines: { node: string }
}

const toNumbers = (version: string): number[] => version.split('.').map(Number)

const isOlder = (version: string, oldest: string): boolean => {
  const [one, other] = [toNumbers(version), toNumbers(oldest)]
  const index = other.findIndex((number, place) => number !== one[place])
  return Number(one[index]) < Number(other[index])
}

/** Why this Node.js cannot run Rollcall, in one line; undefined if it can. `engines` in package.json decides. */
export const nodeFault = (): string | undefined => {
  // eslint-disable-next-line no-restricted-syntax -- our own file, and no library can be loaded yet
  const manifest = JSON.parse(String(readFileSync(new URL('../../package.json', import.meta.url)))) as Manifest
  const oldest = manifest.engines.node.replace('>=', '')
  const { node } = process.versions
  if (!isOlder(node, oldest)) return undefined
  return `Rollcall needs Node.js ${oldest} or newer; this is ${node}. Install a newer one from https://nodejs.org.`
}

/** Whether this Node.js can run Rollcall; if not, says why on standard error and sets exit code 1. */
export const isNodeSupported = (): boolean => {
  const fault = nodeFault()
  if (fault === undefined) return true
  process.stderr.write(`${fault}\n`)
  process.exitCode = 1
  return false
}
