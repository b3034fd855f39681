import { randomBytes } from 'node:crypto'
import type { Installation } from '../app.js'
import { fillSettings } from '../plugins/config/settings.js'
import { firstClients } from '../schemas/settings.js'
import { withApp } from './installation.js'

/** The document depends on no data and no setting: a passing installation in memory will do. */
const passingInstallation = (): Installation => ({
  directory: process.cwd(),
  settings: { ...fillSettings({ clients: firstClients }), databaseUrl: 'sqlite::memory:' },
  secret: randomBytes(32).toString('base64url'),
  devEcho: false,
  retiredSettings: [],
  adminPassword: randomBytes(32).toString('base64url'),
})

/** The OpenAPI document as it is committed: JSON, two spaces, a line break at the end. */
export const openapiDocument = (): Promise<string> =>
  withApp(passingInstallation(), async (app) => `${JSON.stringify(app.swagger(), null, 2)}\n`, { answering: true })
