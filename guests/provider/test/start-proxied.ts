import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { readDeployed, runNginx, writeCertificate } from '../../../test/helpers/processes/deployed.js'
import { freePort } from '../../../test/helpers/processes/free-port.js'
import { temporary } from '../../../test/helpers/processes/package.js'
import { eventually } from '../../../test/helpers/processes/process.js'
import { runCaddy } from '../../../test/helpers/processes/proxies.js'
import { ownPage } from '../../../test/helpers/service/page-browser.js'
import { userPassword } from '../../../test/helpers/service/passwords.js'
import type { NewClient } from '../clients/clients.js'
import { presetsOf } from '../clients/settings.js'

const [nginxSite = '', caddySite = ''] = ['nginx', 'caddy'].map(
  (wanted) =>
    codeBlocksOf(readDocument('docs/protect-any-application.md')).find(({ language }) => language === wanted)?.code,
)

interface Place {
  port: number
  /** Where Rollcall listens, host and port. */
  service: string
  /** Where the application listens, host and port. */
  application: string
  directory: string
}

const hosts = ['auth.example.com', 'wiki.example.com', 'notes.example.com']

/** Runs the proxy with the configuration of the document, for two hosts, and that of the service beside it. */
const runs: Record<string, (t: Test, program: string, place: Place) => string> = {
  nginx(t, program, { port, service, application, directory }) {
    const { key, certificate } = writeCertificate(directory, hosts)
    const inFolder = (text: string) => text.replaceAll('/etc/nginx/rollcall/', `${directory}/`)
    const adapt = (text: string) =>
      inFolder(text)
        .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replaceAll('127.0.0.1:3000', service)
        .replaceAll('127.0.0.1:8080', application)
        .replaceAll(/ssl_certificate \S+;/g, `ssl_certificate ${certificate};`)
        .replaceAll(/ssl_certificate_key \S+;/g, `ssl_certificate_key ${key};`)
    const auth = readDeployed('deploy/nginx.conf')
      .replaceAll(/listen (\[::\]:443 ssl|80|\[::\]:80);/g, '')
      .replace(/server \{\s+server_name[^}]*return 301[^}]*\}/, '')
      // The port is a part of this issuer.
      .replace('Host $host', 'Host $http_host')
    for (const name of ['ask', 'protect', 'application'])
      writeFileSync(join(directory, `${name}.conf`), inFolder(readDeployed(`deploy/nginx-protect/${name}.conf`)))
    // What an administrator adds later is asked about, too.
    const further = nginxSite.replace(
      'location / {',
      'location /further/ { proxy_pass http://127.0.0.1:8080; }\n  location / {',
    )
    const second = nginxSite.replaceAll('wiki.example.com', hosts[2] ?? '')
    runNginx(t, program, directory, [auth, further, second].map(adapt).join('\n'))
    return certificate
  },
  caddy(t, program, { port, service, application, directory }) {
    const { key, certificate } = writeCertificate(directory, hosts)
    const adapt = (text: string) =>
      text
        .replace(/^(\w+\.example\.com) \{/m, `$1:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`)
        .replaceAll('127.0.0.1:3000', service)
        .replaceAll('127.0.0.1:8080', application)
    const second = caddySite.replaceAll('wiki.example.com', hosts[2] ?? '')
    const sites = [readDeployed('deploy/Caddyfile'), caddySite, second].map(adapt).join('\n')
    runCaddy(t, program, directory, ['admin off', 'auto_https disable_redirects'], sites)
    return certificate
  },
}

/** The proxies of the document, and why tests behind them are not run. */
export const documentedProxies = Object.keys(runs).map((name) => {
  const variable = `ROLLCALL_TEST_${name.toUpperCase()}`
  return { name, skip: process.env[variable] ? (false as const) : `set ${variable} to the path of ${name}` }
})

/** An application without a sign-in: it shows what it was sent, and echoes what a WebSocket says. */
const startApplication = async (t: Test): Promise<string> => {
  const server = createServer((asked, answer) => {
    const reply = async () => {
      const body = (await asked.toArray()).join('')
      const said = JSON.stringify({ url: asked.url, method: asked.method, body, headers: asked.headers })
      if (asked.headers.accept?.includes('text/html') !== true) return answer.end(said)
      const name = Buffer.from(String(asked.headers['remote-user'] ?? ''), 'latin1').toString()
      const pictures = '<img alt="" src="/picture.svg">'.repeat(20)
      return answer
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(`<!doctype html><title>Wiki</title><link rel="icon" href="data:,"><h1>wiki of ${name}</h1>${pictures}`)
    }
    if (asked.url === '/picture.svg') {
      answer.setHeader('content-type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>')
      return
    }
    reply().catch((error: unknown) => answer.writeHead(500).end(String(error)))
  })
  server.on('upgrade', (asked, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nhello ${String(asked.headers['remote-user'])}`,
    )
    socket.on('data', (chunk) => socket.write(chunk))
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Through {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** In place of the path: an address, which is asked for in this form. */
  target?: string
}

/** Requests through a proxy at `port`, as of a browser that has cookies. */
const createVisitor = (port: number, certificate: string) => {
  const ca = readFileSync(certificate)
  const jars = new Map<string, Map<string, string>>()
  const send = async (address: string, { method = 'GET', headers = {}, body, target }: Through = {}) => {
    const [, host = '', path = '/'] = /^https:\/\/([^/]+)(\/.*)?$/.exec(address) ?? []
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    const own = [...jar].map(([name, value]) => `${name}=${value}`)
    const cookie = [...own, ...(headers['cookie'] === undefined ? [] : [headers['cookie']])].join('; ')
    const servername = host.replace(/:.*/, '')
    const agent = new Agent({ ca, servername })
    const asked = request({
      ...{ host: '127.0.0.1', port, path: target ?? path, method, agent },
      headers: { host, ...headers, ...(cookie && { cookie }) },
    })
    asked.end(body)
    const upgraded = new Promise<[IncomingMessage, string]>((resolve) => {
      asked.on('upgrade', (answer: IncomingMessage, socket, head: Buffer) => {
        const first = head.length > 0 ? Promise.resolve([head]) : once(socket, 'data')
        void first.then(([chunk]) => {
          resolve([answer, String(chunk)])
          socket.destroy()
        })
      })
    })
    const answered = once(asked, 'response').then(async ([answer]: IncomingMessage[]) => [
      answer,
      Buffer.concat((await answer?.toArray()) ?? []).toString(),
    ]) as Promise<[IncomingMessage, string]>
    const [answer, text] = await Promise.race([answered, upgraded])
    agent.destroy()
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const { location } = answer.headers
    return { status: answer.statusCode ?? 0, headers: answer.headers, location, text }
  }
  return { send, jars }
}

const page = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html,*/*' }

/** Both hosts of the document behind the proxy, and the address of the service. `service` says where it listens once its issuer is known. */
export const startProxied = async (
  t: Test,
  name: string,
  startService: (issuer: string) => Promise<{ service: string }>,
) => {
  const port = await freePort()
  const issuer = `https://auth.example.com:${port}`
  const { service } = await startService(issuer)
  const application = await startApplication(t)
  const program = process.env[`ROLLCALL_TEST_${name.toUpperCase()}`] ?? ''
  const certificate = runs[name]?.(t, program, { port, service, application, directory: temporary(t) }) ?? ''
  const openVisitor = () => {
    const visitor = createVisitor(port, certificate)
    return {
      ...visitor,
      /** Follows redirects as far as an answer, or the sign-in page. */
      async open(address: string) {
        let url = new URL(address)
        for (let step = 0; step < 12; step++) {
          if (url.pathname === '/sign-in') return { url, status: 0, text: '' }
          const { status, text, location } = await visitor.send(url.href, { headers: page })
          if (location === undefined) return { url, status, text }
          url = new URL(location, url)
        }
        throw new Error(`the browser goes round in circles, last at ${url.href}`)
      },
      async signIn(username = 'alice', more: object = {}) {
        const answer = await visitor.send(`${issuer}/auth/login`, {
          ...{ method: 'POST', headers: { ...ownPage, 'content-type': 'application/json' } },
          body: JSON.stringify({ username, password: userPassword, cookie: true, ...more }),
        })
        if (answer.status !== 200) throw new Error(answer.text)
      },
      async enter(address: string, username = 'alice', more: object = {}) {
        const { url } = await this.open(address)
        await this.signIn(username, more)
        return this.open(`${issuer}/oidc/interactions/${url.searchParams.get('interaction') ?? ''}`)
      },
    }
  }
  await eventually(`${name} to answer`, () =>
    createVisitor(port, certificate)
      .send(`${issuer}/health/live`)
      .catch(() => undefined),
  )
  return {
    ...{ port, issuer, certificate, openVisitor },
    wiki: `https://wiki.example.com:${port}`,
    notes: `https://notes.example.com:${port}`,
  }
}

/** Adds an application of these hosts. */
export const protectedClient = (more: Partial<NewClient>): NewClient => ({
  ...presetsOf('forward'),
  ...{ id: 'wiki', name: 'Wiki', tenantId: 1 },
  ...more,
})
export { operatorActor, page }
