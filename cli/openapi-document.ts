import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settingsReader, type Installation } from '../app.js'
import { checkTemporaryFolder } from '../lib/temporary-folder.js'
import { withApp } from './installation.js'

/** A temporary installation, because the document depends on no data and no setting. */
const temporaryInstallation = (directory: string): Installation => ({
  directory,
  settings: settingsReader.fill(),
  secret: randomBytes(32).toString('base64url'),
  secretSource: 'a temporary secret',
  devEcho: false,
  retiredSettings: [],
  isRegionChosen: false,
  adminPassword: randomBytes(32).toString('base64url'),
})

/** The OpenAPI document as in the repository: JSON, indented by two spaces, with a line break at the end. */
export const openapiDocument = async (): Promise<string> => {
  await checkTemporaryFolder()
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-openapi-'))
  try {
    const installation = temporaryInstallation(directory)
    const { settings } = installation
    return await withApp(
      installation,
      async (app) => {
        // That of a first start: programs that import the document need a whole address.
        const servers = [{ url: `http://${settings.host}:${settings.port}`, description: 'A first start' }]
        return `${JSON.stringify({ ...app.swagger(), servers }, null, 2)}\n`
      },
      { answering: true },
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
