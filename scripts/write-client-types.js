// Writes client/operations.ts from openapi.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientTypes } from './client-types.js'

const root = join(import.meta.dirname, '..')
/** @type {unknown} */
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const file = 'client/operations.ts'
writeFileSync(join(root, file), await clientTypes(/** @type {import('./client-types.js').Document} */ (document)))
process.stdout.write(`Wrote ${file}.\n`)
