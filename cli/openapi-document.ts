import { randomBytes } from 'node:crypto'
import type { Installation } from '../app.js'
import { fillSettings } from '../plugins/config/settings.js'
import { firstClients } from '../schemas/settings.js'
import { withApp } from './installation.js'

/** A temporary installation in memory, because the document depends on no data and no setting. */
const temporaryInstallation = (): Installation => ({
  directory: process.cwd(),
  settings: { ...fillSettings({ clients: firstClients }), databaseUrl: 'sqlite::memory:' },
  secret: randomBytes(32).toString('base64url'),
  devEcho: false,
  retiredSettings: [],
  adminPassword: randomBytes(32).toString('base64url'),
})

/** The OpenAPI document as in the repository: JSON, indented by two spaces, with a line break at the end. */
export const openapiDocument = (): Promise<string> =>
  withApp(temporaryInstallation(), async (app) => `${JSON.stringify(app.swagger(), null, 2)}\n`, { answering: true })
