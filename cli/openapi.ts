import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Installation } from '../app.js'
import { OperatorError } from '../plugins/errors/operator-error.js'
import { ConfigurationError, fillSettings, readSettings } from '../plugins/config/settings.js'
import { firstClients, type Settings } from '../schemas/settings.js'
import { withApp } from './context.js'

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
  adminPassword: randomBytes(32).toString('base64url'),
})

/** The OpenAPI document as it is committed: JSON, two spaces, a line break at the end. */
export const openapiDocument = (): Promise<string> =>
  withApp(passingInstallation(), async (app) => `${JSON.stringify(app.swagger(), null, 2)}\n`, { answering: true })

export const registerOpenapi = (program: Command): void => {
  program
    .command('openapi')
    .description('print the OpenAPI document')
    .option('--output <file>', 'write it to this file')
    .option('--check <file>', 'compare it with this file; exit code 1 when they differ')
    .action(async ({ output, check }: { output?: string; check?: string }) => {
      const document = await openapiDocument()
      if (check !== undefined) {
        if ((await readFile(check, 'utf8')) !== document) {
          throw new OperatorError(`${check} differs from the routes and schemas; run npm run openapi and commit it`)
        }
        process.stdout.write(`${check} is in step with the routes and schemas.\n`)
      }
      if (output !== undefined) {
        await writeFile(output, document)
        process.stdout.write(`Wrote ${output}.\n`)
      }
      if (check === undefined && output === undefined) process.stdout.write(document)
    })
}
