import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import {
  addVirtualAuthenticator,
  callInPage,
  enableWebAuthn,
  proveInPage,
  registerInPage,
  servePasskeyPage,
} from '../helpers/browser/passkeys.js'
import { askSecurely, runNginx, runUntilEnd, writeCertificate } from '../helpers/processes/deployed.js'
import { freePort } from '../helpers/processes/free-port.js'
import { temporary } from '../helpers/processes/package.js'
import { eventually } from '../helpers/processes/process.js'
import { startServer, userPassword } from '../helpers/service/server.js'

interface Site {
  port: number
  /** Where Rollcall listens. */
  origin: string
  prefix: '' | '/iam'
  /** Whether the proxy sends `X-Forwarded-Proto`. */
  forwards: boolean
}
type Run = (t: Test, program: string, directory: string, site: Site & { key: string; certificate: string }) => void

const nginx: Run = (t, program, directory, { port, origin, prefix, forwards, key, certificate }) =>
  runNginx(
    t,
    program,
    directory,
    `server {
      listen 127.0.0.1:${port} ssl;
      server_name auth.example.com;
      ssl_certificate ${certificate};
      ssl_certificate_key ${key};
      location ${prefix}/ {
        proxy_pass ${origin}/;
        proxy_set_header X-Forwarded-For $remote_addr;
        ${forwards ? 'proxy_set_header X-Forwarded-Proto $scheme;' : ''}
      }
    }`,
  )

const caddy: Run = (t, program, directory, { port, origin, prefix, forwards, key, certificate }) => {
  const file = join(directory, 'Caddyfile')
  const proxy = `reverse_proxy ${origin} {\n${forwards ? '' : 'header_up -X-Forwarded-Proto\n'}}\n`
  const inside = prefix === '' ? proxy : `handle_path ${prefix}/* {\n${proxy}}\n`
  const site = `auth.example.com:${port} {\nbind 127.0.0.1\ntls ${certificate} ${key}\n${inside}}\n`
  writeFileSync(file, `{\nadmin off\nauto_https disable_redirects\n}\n${site}`)
  const home = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  runUntilEnd(t, program, ['run', '--config', file, '--adapter', 'caddyfile'], home)
}

/** Chromium finds the proxy under its name and accepts its certificate, without an error: at one there are no passkeys. */
const flagsFor = (certificate: string): string[] => {
  const key = new X509Certificate(readFileSync(certificate)).publicKey.export({ type: 'spki', format: 'der' })
  return [
    '--host-resolver-rules=MAP auth.example.com 127.0.0.1',
    `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`,
  ]
}

const variants: Pick<Site, 'prefix' | 'forwards'>[] = [
  { prefix: '', forwards: true },
  { prefix: '', forwards: false },
  { prefix: '/iam', forwards: true },
]

for (const [name, variable, run] of [
  ['nginx', 'ROLLCALL_TEST_NGINX', nginx],
  ['Caddy', 'ROLLCALL_TEST_CADDY', caddy],
] as const) {
  const program = process.env[variable] ?? ''
  const whySkipped = skip || (program === '' ? `set ${variable} to the path of ${name} to run this test` : false)

  for (const { prefix, forwards } of variants) {
    const title = `${prefix === '' ? '' : `under ${prefix}, `}${forwards ? 'with' : 'without'} X-Forwarded-Proto`
    test(`passkeys behind ${name} with TLS, ${title}`, { skip: whySkipped }, async (t) => {
      const port = await freePort()
      const base = `https://auth.example.com:${port}`
      const server = await startServer(t, {
        settings: { publicUrl: `${base}${prefix}` },
        environment: { TRUST_PROXY: '127.0.0.1' },
        extend: servePasskeyPage,
      })
      await server.addUser('alice')
      const { accessToken: token } = await server.signIn('alice')
      const directory = temporary(t)
      const { key, certificate } = writeCertificate(directory)
      run(t, program, directory, { port, origin: server.origin, prefix, forwards, key, certificate })
      const ask = () => askSecurely(port, { method: 'GET', path: `${prefix}/health/live`, certificate })
      await eventually(`${name} to answer`, () => ask().catch(() => undefined))

      const { page } = await openBrowser(t, flagsFor(certificate))
      const cdp = await enableWebAuthn(page)
      await page.goto(`${base}${prefix}/app`)
      const authenticator = await addVirtualAuthenticator(cdp)
      const made = await registerInPage(page, { token })
      t.equal(made.status, 200, JSON.stringify(made.data))
      t.match((await authenticator.credentials())[0], { rpId: 'auth.example.com' })
      const alone = await proveInPage(page)
      t.equal(alone.data.userInfo?.username, 'alice', JSON.stringify(alone.data))
      const first = await callInPage(page, 'auth/login', { username: 'alice', password: userPassword })
      t.equal((await proveInPage(page, { ticket: first.data.ticket })).status, 200)
      t.match(await proveInPage(page, { token }), { status: 200, data: { acr: 'aal2' } })
      t.notMatch(server.log(), /a passkey of another origin is refused/)
    })
  }
}
