import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { settingsReader } from '../../app.js'
import { installedDirectory } from '../helpers/processes/child.js'
import { settingPaths } from '../helpers/service/installation.js'
import { merge } from '../helpers/service/server.js'
import {
  assignmentsOf,
  isJson,
  settingsIn,
  shownTexts,
  valueOf,
  type Shown,
} from '../helpers/documents/shown-settings.js'
import { retiredSettings } from '../../schemas/settings.js'
import { root } from '../helpers/processes/project.js'

const texts = shownTexts()

/** How JSON begins that is no configuration: requests, answers, tokens, a file of npm, and what the program looks for in an answer. */
const others = [
  ...['code', 'authType', 'username', 'active', 'forcePasswordChange', 'error', 'data', 'alg', 'status', 'roleKeys'],
  ...['gypfile', 'avatar', 'records', 'refusals'],
].map((name) => `"${name}":`)
const isOther = ({ text }: Shown) =>
  [...others, '"redis": "unavailable"'].some((begin) => text.replace(/^[\s{]+/, '').startsWith(begin))

/** The configuration that a first start writes. */
const firstConfiguration = async (t: Test) =>
  JSON.parse(readFileSync(join(await installedDirectory(t), 'config.json'), 'utf8')) as Record<string, unknown>

test('every block of configuration that a page, a message or a document shows is accepted by the service', async (t) => {
  const first = await firstConfiguration(t)
  const faultsOf = (block: object) => settingsReader.read(merge(first, { ...block }), 'config.json', {}).faults
  t.strictSame(faultsOf({}), [])
  t.match(faultsOf({ mail: { host: 'smtp.example.com' } }), [{ name: 'mail.host' }], 'a wrong one is found')
  const places = new Set<string | undefined>()
  for (const shown of texts.filter((one) => isJson(one) && !isOther(one))) {
    let block = {}
    t.doesNotThrow(() => (block = valueOf(shown)), shown.place)
    t.strictSame(faultsOf(block), [], `${shown.place}: ${shown.text}`)
    places.add(shown.place.split(':')[0])
  }
  const known = ['pages/console/overview/blocks.ts', 'docs/federation.md', 'docs/verify-tokens.md']
  for (const path of known) t.ok(places.has(path), path)
})

test('the blocks of the console are configuration, and a whole file with them starts', async (t) => {
  const first = await firstConfiguration(t)
  const page = (await import(join(root, 'pages/console/overview/blocks.ts'))) as {
    configuration: Record<string, string>
  }
  const whole = Object.values(page.configuration).join(',')
  const { settings, faults } = settingsReader.read(merge(first, valueOf({ place: '', text: whole })), 'config.json', {})
  t.strictSame(faults, [])
  t.match(settings, {
    publicUrl: 'https://id.example.com',
    mail: { url: /^smtp:/, from: 'Example <no-reply@example.com>' },
  })
  for (const text of Object.values(page.configuration)) t.ok(isJson({ place: '', text }), text)
})

test('every variable that a document or a message sets has a value that the service accepts', async (t) => {
  const first = await firstConfiguration(t)
  let count = 0
  // The history also tells what was refused.
  for (const shown of texts.filter(({ place }) => !place.startsWith('CHANGELOG'))) {
    for (const [name, value] of assignmentsOf(shown)) {
      t.strictSame(
        settingsReader.read(first, 'config.json', { [name]: value }).faults,
        [],
        `${shown.place}: ${name}=${value}`,
      )
      count += 1
    }
  }
  t.ok(count > 10, `${count}`)
})

test('every setting that a document or a message names exists', (t) => {
  const paths = settingPaths().map((path) => path.split('.'))
  const known = new Set(paths.flatMap((path) => path.map((_, at) => path.slice(0, at + 1).join('.'))))
  let count = 0
  for (const shown of texts.filter(({ isCode }) => !isCode)) {
    for (const name of settingsIn(shown)) {
      t.ok(known.has(name) || name in retiredSettings, `${shown.place}: ${name}`)
      count += 1
    }
  }
  t.ok(count > 100, `${count}`)
  t.notOk(known.has('mail.host'), 'a wrong one is found')
  t.end()
})
