import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { skip } from '../helpers/browser/browser.js'
import { openPage, wordsOf } from '../helpers/browser/pages.js'
import { runNginx, runUntilEnd } from '../helpers/processes/deployed.js'
import { freePort } from '../helpers/processes/free-port.js'
import { temporary } from '../helpers/processes/package.js'
import { eventually } from '../helpers/processes/process.js'
import { adminPassword, startServer } from '../helpers/service/server.js'

const nginx = (t: Test, program: string, port: number, origin: string): void =>
  runNginx(
    t,
    program,
    temporary(t),
    `server {
      listen 127.0.0.1:${port};
      location /iam/v1/ { proxy_pass ${origin}/; proxy_set_header Host $http_host; }
    }`,
  )

const caddy = (t: Test, program: string, port: number, origin: string): void => {
  const directory = temporary(t)
  const file = join(directory, 'Caddyfile')
  const site = `http://localhost:${port} {\n\thandle_path /iam/v1/* {\n\t\treverse_proxy ${origin}\n\t}\n}\n`
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  const home = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  runUntilEnd(t, program, ['run', '--config', file, '--adapter', 'caddyfile'], home)
}

const proxies = [
  ['nginx', 'ROLLCALL_TEST_NGINX', nginx],
  ['Caddy', 'ROLLCALL_TEST_CADDY', caddy],
] as const

for (const [name, variable, run] of proxies) {
  const program = process.env[variable]
  const whySkipped = skip || (program ? false : `set ${variable} to the path of ${name} to run this test`)

  test(
    `behind ${name}, which strips a prefix, each page opens, reloads and signs in, with no setting`,
    { skip: whySkipped },
    async (t) => {
      const server = await startServer(t, { settings: { registration: { mode: 'open' } } })
      const port = await freePort()
      run(t, program ?? '', port, server.origin)
      const base = `http://localhost:${port}/iam/v1`
      await eventually(`${name} to answer`, () => fetch(`${base}/health/live`).catch(() => undefined))
      const { page, words, ...view } = await openPage(t, server, '/sign-in', { name: `behind-${name}`, host: base })
      const outside: string[] = []
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(`${base}/`) && !url.startsWith('data:')) outside.push(url)
      })
      await view.link(words['register'])
      await view.heading(words['registerHeading'])
      t.equal(page.url(), `${base}/sign-in/register`)
      await page.reload()
      await view.heading(words['registerHeading'])
      await page.goto(`${base}/sign-in/register/?tenant=1`)
      await view.heading(words['registerHeading'])
      t.equal(page.url(), `${base}/sign-in/register?tenant=1`)
      await view.link(words['back'])
      const account = await wordsOf('en', 'account')
      await view.signIn('admin', adminPassword)
      await view.heading(account['profile'])
      t.equal(page.url(), `${base}/account`)
      await view.link(account['security'])
      await view.heading(account['security'])
      await page.reload()
      await view.heading(account['security'])
      t.equal(page.url(), `${base}/account/security`)
      await page.goto(`${base}/`)
      await view.heading(account['profile'])
      t.equal(page.url(), `${base}/account`)
      t.strictSame(outside, [], 'nothing leaves the prefix')
      view.end()
    },
  )
}
