import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { runCommand } from '../../helpers/processes/command.js'
import { startProcess } from '../../helpers/processes/process.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { installed, refusal } from '../../helpers/service/installation.js'

test('a config.json of {}, or with one address, starts with the presets of everything, also of clients', async (t) => {
  const whole = openInstallation({ DATA_DIR: installed(t) }, { create: false }).settings
  for (const content of [
    {},
    { publicUrl: 'https://id.example.com' },
    { clients: {} },
    { clients: { h5: { maxSessions: 2 } } },
  ]) {
    const directory = installed(t, () => content)
    const { settings } = openInstallation({ DATA_DIR: directory }, { create: false })
    t.match(settings.clients.pc, whole.clients.pc)
    t.strictSame(settings.clients.h5, { ...whole.clients.h5, ...content.clients?.h5 })
    t.strictSame(Object.keys(settings).toSorted(), Object.keys(whole).toSorted())
  }
  const directory = installed(t, () => ({}))
  const environment = { ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const server = await startProcess(t, { directory, environment })
  t.equal((await server.signIn('admin', adminPassword)).status, 200)
  t.equal((await server.stop()).code, 0)
  t.match(await runCommand(t, ['doctor'], { directory }), { code: 0, stdout: /have no fault/ })
})

test('clients of null, or a list, are refused', async (t) => {
  for (const clients of [null, []]) {
    const directory = installed(t, (all) => all)
    writeFileSync(join(directory, 'config.json'), JSON.stringify({ clients }))
    t.strictSame(
      refusal(t, { DATA_DIR: directory }).faults.map(({ name }) => name),
      ['clients'],
    )
  }
})
