import { test } from 'tap'
import { askSecurely, type SecureAnswer } from '../../helpers/processes/deployed.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { temporary } from '../../helpers/processes/package.js'
import { eventually } from '../../helpers/processes/process.js'
import { proxies } from '../../helpers/processes/proxies.js'
import { startWithRoutes, type Route } from '../../helpers/service/routes.js'

const isAdministration = ({ access }: Route) => access !== 'open' && access !== 'session'

/** Further paths below the same prefixes: an existing front end asks them of its administrators, and the documents of the console. */
const insideToo = /^\/((system|auth\/online)\/|console($|\/))/

/** Other ways to write a path that a proxy and Rollcall might read differently. */
const disguises = [
  '/%73ystem/user/page',
  '/system%2Fuser/page',
  '//system/user/page',
  '/./system/user/page',
  '/auth/../system/user/page',
  '/auth/%2e%2e/system/user/page',
  '/SYSTEM/user/page',
  '/system;x/user/page',
  '/system/user/page/',
  '/auth%2Fonline/page',
]

for (const [name, { variable, run }] of Object.entries(proxies)) {
  const program = process.env[variable]
  const skip = program ? false : `set ${variable} to the path of ${name} to run this test`

  test(`${name}: administration is answered inside, and the rest everywhere`, { skip }, async (t) => {
    const { server, routes } = await startWithRoutes(t)
    const port = await freePort()
    const directory = temporary(t)
    const place = { port, origin: server.origin, directory, keepsAdministrationInside: true }
    const { certificate } = run(t, program ?? '', place)
    const ask = (method: string, path: string, localAddress: string): Promise<SecureAnswer> =>
      askSecurely(port, { method, path, certificate, localAddress })
    await eventually(`${name} to answer`, () => ask('GET', '/health/live', '127.0.0.1').catch(() => undefined))

    const isOfRollcall = ({ headers }: SecureAnswer) => 'x-request-id' in headers
    const administration = routes.filter(isAdministration)
    t.ok(administration.length > 40, `${administration.length} routes ask for a permission`)
    for (const { method, path } of administration) {
      const real = path.replaceAll(/:\w+/g, '1')
      const outside = await ask(method, real, '127.0.0.2')
      t.equal(outside.status, 403, `${method} ${path} outside`)
      t.notOk(isOfRollcall(outside), `${method} ${path} does not get to Rollcall`)
      t.ok(isOfRollcall(await ask(method, real, '127.0.0.1')), `${method} ${path} inside`)
    }
    for (const { method, path } of routes.filter((route) => !isAdministration(route) && !insideToo.test(route.path))) {
      const outside = await ask(method, path.replaceAll(/:\w+/g, '1').replace('*', 'x'), '127.0.0.2')
      t.ok(isOfRollcall(outside), `${method} ${path} outside: ${outside.status}`)
    }
    for (const path of disguises) {
      const outside = await ask('GET', path, '127.0.0.2')
      t.ok([400, 403, 404].includes(outside.status), `${path} outside: ${outside.status}`)
    }
    for (const path of ['/console', '/console/users/1/roles'])
      t.equal((await ask('GET', path, '127.0.0.2')).status, 403)
    t.equal((await ask('GET', '/system/user/page', '127.0.0.1')).status, 401)
  })
}
