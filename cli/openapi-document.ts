import { randomBytes } from 'node:crypto'
import type { Installation } from '../app.js'
import { ConfigurationError, fillSettings, readSettings } from '../plugins/config/settings.js'
import { firstClients, type Settings } from '../schemas/settings.js'
import { withApp } from './installation.js'

/** Switches every sign-in method on: the document shows what Rollcall can do, not what one installation does. */
const everything = (): Settings => {
  const settings = fillSettings({ clients: firstClients })
  const provider = {
    platform: 'example',
    kind: 'github',
    clientId: 'none',
    redirectUris: ['https://example.com/social'],
  }
  const { settings: read, faults } = readSettings(
    {
      ...settings,
      databaseUrl: 'sqlite::memory:',
      mail: { ...settings.mail, url: 'smtp://localhost' },
      sms: { ...settings.sms, sender: 'webhook', webhook: { url: 'https://example.com/sms', secret: 'none' } },
      federation: { ...settings.federation, providers: [{ ...provider, clientSecret: 'none' }] },
    },
    'the settings of the document',
    {},
  )
  if (!read) throw new ConfigurationError(faults)
  return read
}

/** The document does not depend on any data: a passing installation in memory will do. */
const passingInstallation = (): Installation => ({
  directory: process.cwd(),
  settings: everything(),
  secret: randomBytes(32).toString('base64url'),
  devEcho: false,
  retiredSettings: [],
  adminPassword: randomBytes(32).toString('base64url'),
})

/** The OpenAPI document as it is committed: JSON, two spaces, a line break at the end. */
export const openapiDocument = (): Promise<string> =>
  withApp(passingInstallation(), async (app) => `${JSON.stringify(app.swagger(), null, 2)}\n`, { answering: true })
