// What `npm pack` runs before and after: the packed package.json has no script `prepare`, which builds from sources that the
// package does not have.
//
//     node scripts/pack.js           before
//     node scripts/pack.js --restore after
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../package.json')
const kept = `${file}.kept`

// Before packing, too: an `npm pack` that was interrupted leaves the kept file.
if (existsSync(kept)) renameSync(kept, file)
if (!process.argv.includes('--restore')) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(kept, text)
  /** @type {unknown} */
  const manifest = JSON.parse(text)
  delete (/** @type {{ scripts: { prepare?: string } }} */ (manifest).scripts.prepare)
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
