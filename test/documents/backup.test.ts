import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { emptyDirectory, installedDirectory } from '../helpers/processes/child.js'
import { runCommand } from '../helpers/processes/command.js'
import { expectSuccess } from '../helpers/service/expect.js'
import { adminPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'

test('a backup made while the service runs, as docs/database-file.md says, has what was confirmed before and can be served', async (t) => {
  const directory = await installedDirectory(t)
  const server = await startProcess(t, { directory })
  const json = { username: 'admin', password: adminPassword }
  const { accessToken: token } = expectSuccess(t, await server.call('POST', '/auth/login', { json }))

  const copy = join(dirname(directory), 'copy.db')
  t.equal((await runCommand(t, ['backup', copy], { directory })).code, 0)
  await server.stop()
  const restored = emptyDirectory(t)
  mkdirSync(restored)
  for (const name of ['secret', 'config.json']) cpSync(join(directory, name), join(restored, name))
  t.equal((await runCommand(t, ['restore', copy], { directory: restored })).code, 0)

  const other = await startProcess(t, { directory: restored })
  const { username } = expectSuccess(t, await other.call('GET', '/auth/userInfo', { token }))
  t.equal(username, 'admin', 'the session from before the backup lives on')
  await other.stop()
})
