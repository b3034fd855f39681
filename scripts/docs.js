// What `npm run docs` runs: writes docs/configuration.md from the schemas of the build.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '../dist/schemas/environment.js'
import { firstClients, retiredSettings, Settings } from '../dist/schemas/settings.js'
import { configurationPage } from './configuration-page.js'

const file = join(dirname(fileURLToPath(import.meta.url)), '../docs/configuration.md')
writeFileSync(file, await configurationPage({ Settings, environment, firstClients, retiredSettings }))
