import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'tap'
import { adminPassword } from '../../../test/helpers/service/passwords.js'
import { root } from '../../../test/helpers/processes/project.js'

/** Starts the service and prints the packages that it has loaded of those of the provider. */
const script = `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      const [, name = ''] = /node_modules\\/(oidc-provider|koa|cookies|keygrip)\\//.exec(url) ?? []
      if (name) loaded.add(name)
      return next(url, context)
    },
  })
  const { default: Fastify } = await import('fastify')
  const { default: rollcall, openInstallation, serverOptions } = await import(process.env.APP)
  const installation = openInstallation(process.env, { create: true })
  const server = Fastify({ ...serverOptions(installation.settings), logger: false })
  await server.register(rollcall, { installation, pages: true })
  await server.ready()
  const routes = ['/oidc/authorize', '/auth/forward', '/.rollcall/sign-in'].filter((url) => server.hasRoute({ method: 'GET', url }))
  console.log(JSON.stringify({ loaded: [...loaded], routes }))
  await server.close()
`

test('nothing of the library is loaded, and no address of it is there, before single sign-on is switched on', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-loaded-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const run = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: root,
      env: {
        ...process.env,
        DATA_DIR: directory,
        APP: join(root, 'build/app.js'),
        ROLLCALL_ADMIN_PASSWORD: adminPassword,
      },
    })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { loaded: string[]; routes: string[] }
  }
  t.strictSame(await run(), { loaded: [], routes: [] })
  const settings = { issuer: 'http://localhost:3000', provider: { enabled: true } }
  writeFileSync(join(directory, 'config.json'), JSON.stringify(settings))
  const { loaded, routes } = await run()
  t.ok(loaded.includes('oidc-provider'), 'otherwise nothing is proved')
  t.strictSame(routes, ['/oidc/authorize', '/auth/forward', '/.rollcall/sign-in'])
})
