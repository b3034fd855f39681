import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { environment } from '../../schemas/environment.js'
import { settingsReader } from '../../app.js'
import { retiredSettings } from '../../schemas/settings.js'

const { schema: Settings } = settingsReader
import { limits, sources as sourcesOfTries } from '../../plugins/throttle/limits.js'
import { configurationPage } from '../../scripts/configuration-page.js'
import { limitsPage } from '../../scripts/limits-page.js'
import { installed, refusal, settingPaths } from '../helpers/service/installation.js'
import { root } from '../helpers/processes/project.js'

const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
const sources = { Settings, environment, retiredSettings }

test('docs/configuration.md is what the schemas of the settings say', async (t) => {
  t.equal(page, await configurationPage(sources), 'run npm run docs and commit the file')
})

test('docs/limits.md is what the table of limits says, and the settings in it exist', async (t) => {
  const shown = readFileSync(join(root, 'docs/limits.md'), 'utf8')
  t.equal(shown, await limitsPage({ limits, sources: sourcesOfTries }), 'run npm run docs and commit the file')
  const named = Object.values(limits).flatMap(({ of }) =>
    Object.values<number | string>(of).filter((limit) => typeof limit === 'string'),
  )
  for (const path of new Set(named.flatMap((text) => text.split(', ')))) t.ok(settingPaths().includes(path), path)
})

test('it names every setting and every variable', (t) => {
  const names = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name)
  for (const path of settingPaths()) t.ok(names.includes(path.replace(/^clients\.\w+\./, 'clients.<kind>.')), path)
  for (const { name } of environment) t.ok(names.includes(name), name)
  t.end()
})

test('a setting without a description is noticed', async (t) => {
  t.notMatch(page, /\| +\|$/m, 'no row ends with an empty cell')
})

test('a changed default or a further variable changes the page', async (t) => {
  const properties = { ...Settings.properties, port: { ...Settings.properties.port, default: 3001 } }
  t.match(await configurationPage({ ...sources, Settings: { ...Settings, properties } }), /`3001`/)
  const further = { name: 'FURTHER', description: 'A further variable' }
  t.match(await configurationPage({ ...sources, environment: [...environment, further] }), /`FURTHER` .*A further/)
})

test('the message that the page shows for wrong settings is the one of the program', (t) => {
  const directory = installed(t, (all) => ({ ...all, lockout: { ...all['lockout'], window: 0 } }))
  const { message } = refusal(t, { DATA_DIR: directory, PORT: '99999' })
  const [, shown = ''] = /```text\n(Rollcall does not start[^`]*)\n```/.exec(page) ?? []
  const lines = (text: string) => text.split('\n').sort()
  t.same(lines(message.replaceAll(directory, '/srv/rollcall')), lines(shown))
  t.end()
})
