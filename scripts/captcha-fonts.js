// What `npm run captcha-fonts` runs: writes the fonts of captcha pictures, with the letters of captchas only. All of the
// fonts would take 12 MB of every installation.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { alphabet } from '../dist/plugins/identity/captcha/graphical.js'

/** @type {{ default: (font: Buffer, letters: string, options: object) => Promise<Buffer> }} */
// eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the package has no types
const { default: subsetFont } = await import('subset-font')

const file = join(import.meta.dirname, '../plugins/identity/captcha/fonts.json')
const folder = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'))
const names = ['Sans', 'Serif', 'SansCondensed', 'SansMono', 'Sans-Oblique']

/** @type {Record<string, string>} */
const fonts = {}
for (const name of names) {
  const font = readFileSync(join(folder, `ttf/DejaVu${name}.ttf`))
  fonts[name] = (await subsetFont(font, alphabet, { targetFormat: 'truetype' })).toString('base64')
}

const license = readFileSync(join(folder, 'LICENSE'), 'utf8')
writeFileSync(file, `${JSON.stringify({ source: 'dejavu-fonts-ttf', license, fonts }, undefined, 2)}\n`)
