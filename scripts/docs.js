// What `npm run docs` runs: writes docs/configuration.md and docs/limits.md from the build.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsReader } from '../dist/app.js'
import { limits, sources } from '../dist/plugins/throttle/limits.js'
import { environment } from '../dist/schemas/environment.js'
import { retiredSettings } from '../dist/schemas/settings.js'
import { configurationPage } from './configuration-page.js'
import { limitsPage } from './limits-page.js'

const docs = join(import.meta.dirname, '../docs')
const configuration = await configurationPage({ Settings: settingsReader.schema, environment, retiredSettings })
writeFileSync(join(docs, 'configuration.md'), configuration)
writeFileSync(join(docs, 'limits.md'), await limitsPage({ limits, sources }))
