import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { openDatabase } from '../../../db/index.js'
import { rewrap } from '../../../plugins/run/encryption/rewrap.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { createCli } from '../../helpers/processes/cli.js'
import { onSqliteOnly } from '../../helpers/databases/database.js'
import { installed, password, secret } from '../../helpers/service/installation.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { startProcess } from '../../helpers/processes/process.js'

const byteOrderMark = '\ufeff'
/** What editors, `echo` and other systems add to what people see. */
const invisible: [before: string, after: string][] = [
  ['', '\n'],
  ['', '\r\n'],
  ['', '\n\n'],
  [byteOrderMark, '\r\n'],
]

test('what nobody sees of a secret in the environment or in a file is no part of it', (t) => {
  for (const [before, after] of invisible) {
    const seen = (text: string) => `${before}${text}${after}`
    const DATA_DIR = emptyDirectory(t)
    const variables = { DATA_DIR, ROLLCALL_SECRET: seen(secret), ROLLCALL_ADMIN_PASSWORD: seen(password) }
    const created = openInstallation(variables, { create: true })
    t.equal(created.secret, secret)
    t.equal(created.adminPassword, password)
    const metrics = openInstallation({ ...variables, METRICS_TOKEN: seen(secret) }, { create: false })
    t.equal(metrics.settings.metrics.token, secret)
    const other = installed(t)
    writeFileSync(join(other, 'secret'), seen(secret))
    t.equal(openInstallation({ DATA_DIR: other }, { create: false }).secret, secret)
  }
  t.end()
})

test('blanks are a part of a password, but not of a master secret', (t) => {
  const variables = { ROLLCALL_SECRET: ` ${secret} \n`, ROLLCALL_ADMIN_PASSWORD: ` ${password} \n` }
  const installation = openInstallation({ DATA_DIR: emptyDirectory(t), ...variables }, { create: true })
  t.equal(installation.secret, secret)
  t.equal(installation.adminPassword, ` ${password} `)
  t.end()
})

test('a configuration file may begin with a byte order mark', (t) => {
  const DATA_DIR = installed(t)
  const file = join(DATA_DIR, 'config.json')
  writeFileSync(file, `${byteOrderMark}${readFileSync(file, 'utf8')}`)
  t.equal(openInstallation({ DATA_DIR }, { create: false }).settings.port, 3000)
  t.end()
})

test('admin signs in with the visible password of the first start', async (t) => {
  const environment = { ROLLCALL_ADMIN_PASSWORD: `${adminPassword}\r\n` }
  const service = await startProcess(t, { directory: emptyDirectory(t), environment })
  t.equal((await service.signIn('admin', adminPassword)).status, 200)
  t.not((await service.signIn('admin', `${adminPassword}\r\n`)).status, 200)
})

test(
  'an installation whose secret had a line break until now is encrypted anew by one command',
  onSqliteOnly,
  async (t) => {
    const cli = await createCli(t)
    // As a version before 0.3 has left it.
    const former = `${secret}\n`
    await cli.done('keys rewrap', { environment: { ROLLCALL_NEW_SECRET: secret } })
    const db = await openDatabase('sqlite:rollcall.db', cli.directory)
    await db.transaction((inside) => rewrap(inside.encryptedTexts, secret, former))
    await db.close()
    const environment = { ROLLCALL_SECRET: former }
    t.match(await cli.run('keys list', { environment }), { code: 1, stderr: /does not open the signing key/ })
    await cli.done('keys rewrap', { environment: { ...environment, ROLLCALL_NEW_SECRET: former } })
    t.match(await cli.run('keys list', { environment }), { code: 0 })
    t.match(await cli.run('keys list', { environment: { ROLLCALL_SECRET: secret } }), { code: 0 })
  },
)
