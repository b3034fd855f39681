// Writes client/operations.ts from openapi.json, which is not in the repository: every build begins with it, and `npm run openapi` ends with it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientTypes } from './client-types.js'

const root = join(import.meta.dirname, '..')
const file = join(root, 'client/operations.ts')

export const writeClientTypes = async () => {
  /** @type {unknown} */
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  const types = await clientTypes(/** @type {import('./client-types.js').Document} */ (document))
  // Who watches the folder sees no change where there is none.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== types) writeFileSync(file, types)
}

if (process.argv[1] === import.meta.filename) await writeClientTypes()
