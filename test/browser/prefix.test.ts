import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { openBrowser, skip } from '../helpers/browser/browser.js'
import { runNginx, runUntilEnd } from '../helpers/processes/deployed.js'
import { freePort } from '../helpers/processes/free-port.js'
import { temporary } from '../helpers/processes/package.js'
import { eventually } from '../helpers/processes/process.js'
import { startServer } from '../helpers/service/server.js'

const nginx = (t: Test, program: string, port: number, origin: string): void =>
  runNginx(
    t,
    program,
    temporary(t),
    `server {
      listen 127.0.0.1:${port};
      location /iam/ { proxy_pass ${origin}/; proxy_set_header Host $http_host; }
      location = / { return 204; }
    }`,
  )

const caddy = (t: Test, program: string, port: number, origin: string): void => {
  const directory = temporary(t)
  const file = join(directory, 'Caddyfile')
  const site = `http://127.0.0.1:${port} {\n\tredir /iam /iam/\n\thandle_path /iam/* {\n\t\treverse_proxy ${origin}\n\t}\n}\n`
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
    `behind ${name}, which strips a prefix, a person gets to /docs and calls an operation`,
    { skip: whySkipped },
    async (t) => {
      const server = await startServer(t, { settings: { pages: { account: false } } })
      const port = await freePort()
      run(t, program ?? '', port, server.origin)
      const base = `http://127.0.0.1:${port}/iam`
      await eventually(`${name} to answer`, () => fetch(`${base}/health/live`).catch(() => undefined))
      const { page, complaints } = await openBrowser(t)
      page.setDefaultTimeout(120_000)
      const outside: string[] = []
      const called: string[] = []
      page.on('request', (request) => {
        called.push(request.url())
        if (!request.url().startsWith(`${base}/`) && !request.url().startsWith('data:')) outside.push(request.url())
      })
      page.on('response', (response) => {
        if (response.status() >= 400) outside.push(`${response.status()} ${response.url()}`)
      })

      await page.goto(base)
      t.equal(page.url(), `${base}/`)
      const links = await page.getByRole('link').all()
      t.equal(links.length, 4)
      for (const link of links) {
        const address = new URL((await link.getAttribute('href')) ?? '', page.url()).href
        t.equal((await fetch(address, { headers: { accept: 'text/html' } })).status, 200, address)
      }
      await page.getByRole('link', { name: 'All endpoints' }).click()
      await page.locator('.opblock').first().waitFor()
      for (const path of ['/docs', '/docs?a=b', '/docs/?a=b', '/docs/static/index.html']) {
        await page.goto(`${base}${path}`)
        await page.locator('.opblock').first().waitFor()
        t.equal(page.url(), `${base}/docs/`)
      }

      const operation = page.locator('.opblock[id$="-getLoginConfig"]')
      await operation.locator('.opblock-summary-control').click()
      await operation.getByRole('button', { name: 'Execute' }).click()
      const live = operation.locator('.live-responses-table')
      t.match(await live.locator('.response-col_status').last().innerText(), /^200/)
      t.ok(
        called.some((url) => url.startsWith(`${base}/auth/loginConfig`)),
        'the operation is called below the prefix',
      )
      // The first page was asked for without its slash.
      t.same(
        outside.filter((url) => url !== base && !url.endsWith('/favicon.ico')),
        [],
        'nothing leaves the prefix',
      )
      t.same(
        complaints.filter((text) => !text.includes('favicon')),
        [],
      )
    },
  )
}
