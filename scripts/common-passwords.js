// What `npm run common-passwords` runs: writes the list of common passwords that new passwords are compared with. As one
// text it takes 0.4 MB of memory; the package that it comes from takes 5 MB, and holds the event loop while it unpacks them.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { dictionary } from '@zxcvbn-ts/language-common'

const file = join(import.meta.dirname, '../plugins/identity/passwords/common-passwords.json')
const manifest = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/package.json')
const license = readFileSync(join(dirname(manifest), 'LICENSE.txt'), 'utf8')
const passwords = `\n${dictionary['passwords-common'].join('\n')}\n`
writeFileSync(file, `${JSON.stringify({ source: '@zxcvbn-ts/language-common', license, passwords }, undefined, 2)}\n`)
