import Fastify from 'fastify'
import { once } from 'node:events'
import { test } from 'tap'
import rollcall, { openInstallation } from '../../../app.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { adminPassword } from '../../helpers/service/server.js'

for (const { host, isRefused } of [
  { host: '127.0.0.1', isRefused: false },
  { host: '0.0.0.0', isRefused: true },
]) {
  test(`with ROLLCALL_DEV_ECHO=1 a host app that listens on ${host} ${isRefused ? 'closes' : 'serves'}`, async (t) => {
    const environment = { DATA_DIR: emptyDirectory(t), ROLLCALL_ADMIN_PASSWORD: adminPassword, ROLLCALL_DEV_ECHO: '1' }
    const app = Fastify({ pluginTimeout: 0 })
    t.teardown(() => app.close())
    app.register(rollcall, { prefix: '/iam', installation: openInstallation(environment, { create: true }) })
    const closed = once(app.server, 'close')
    const address = await app.listen({ host, port: 0 }).catch(() => '')
    if (isRefused) {
      await closed
      t.notOk(app.server.listening)
    } else {
      const { data } = (await (await fetch(`${address}/iam/auth/captcha`)).json()) as { data: { code?: string } }
      t.match(data.code, /^\w{4}$/)
      t.ok(app.server.listening)
    }
  })
}
