import { test } from 'tap'
import { askSecurely, type SecureAnswer } from '../../helpers/processes/deployed.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { temporary } from '../../helpers/processes/package.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { eventually } from '../../helpers/processes/process.js'
import { proxies } from '../../helpers/processes/proxies.js'
import { startServer } from '../../helpers/service/server.js'
import { formOf } from '../../helpers/service/upload.js'

const json = { 'content-type': 'application/json' }
const credentials = JSON.stringify({ username: 'admin', password: adminPassword })

for (const [name, { variable, run }] of Object.entries(proxies)) {
  const program = process.env[variable]
  const skip = program ? false : `set ${variable} to the path of ${name} to run this test`

  test(`${name}: TLS, the address of the client and not the one it claims, large imports`, { skip }, async (t) => {
    const server = await startServer(t, { environment: { TRUST_PROXY: '127.0.0.1' } })
    const port = await freePort()
    const directory = temporary(t)
    const { certificate } = run(t, program ?? '', { port, origin: server.origin, directory })
    const ask = (method: string, path: string, more: object = {}, body?: string | Buffer): Promise<SecureAnswer> =>
      askSecurely(port, { method, path, certificate, ...more }, body)
    await eventually(`${name} to answer`, () => ask('GET', '/health/live').catch(() => undefined))

    const forged = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'chosen-by-the-client' }
    const from = { localAddress: '127.0.0.2' }
    const signedIn = await ask('POST', '/auth/login', { ...from, headers: { ...json, ...forged } }, credentials)
    t.equal(signedIn.status, 200)
    t.match(signedIn.headers['x-request-id'], /^[\w-]{16,}$/)
    t.not(signedIn.headers['x-request-id'], 'chosen-by-the-client')
    const { accessToken } = signedIn.body.data
    const headers = { authorization: `Bearer ${accessToken}` }
    const { body } = await ask('GET', '/auth/userInfo', { ...from, headers })
    t.equal(body.data.loginIp, '127.0.0.2')

    const rows = Array.from({ length: 6000 }, (_, number) => `user${number},${'remark '.repeat(28)}`)
    const file = formOf({ content: `username,remark\n${rows.join('\n')}\n` })
    t.ok(file.raw.length > 2 ** 20, 'more than a proxy allows by itself')
    const path = '/system/user/import?dryRun=true'
    const imported = await ask('POST', path, { headers: { ...headers, ...file.headers } }, file.raw)
    t.equal(imported.status, 200, JSON.stringify(imported.body))
  })
}
