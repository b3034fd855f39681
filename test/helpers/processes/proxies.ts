import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { readDeployed, runNginx, runUntilEnd, writeCertificate } from './deployed.js'
import { freePort } from './free-port.js'
import { temporary } from './package.js'
import { eventually } from './process.js'

interface ProxyPlace {
  port: number
  /** Where Rollcall listens. */
  origin: string
  directory: string
  /** Whether the rule for administration is included. Its own network is 127.0.0.1 alone. */
  keepsAdministrationInside?: boolean
}

interface Proxy {
  variable: string
  /** Runs the file of `deploy/` with other ports and paths until the end of the test. */
  run: (t: Test, program: string, at: ProxyPlace) => { certificate: string }
}

/** Runs Caddy with these options and this site until the end of the test. */
export const runCaddy = (t: Test, program: string, directory: string, options: string[], site: string): void => {
  const file = join(directory, 'Caddyfile')
  writeFileSync(file, `{\n${options.map((option) => `\t${option}\n`).join('')}}\n${site}`)
  const home = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  runUntilEnd(t, program, ['run', '--config', file, '--adapter', 'caddyfile'], home)
}

export const proxies: Record<string, Proxy> = {
  nginx: {
    variable: 'ROLLCALL_TEST_NGINX',
    run(t, program, { port, origin, directory, keepsAdministrationInside = false }) {
      const { key, certificate } = writeCertificate(directory)
      const rule = readDeployed('deploy/administration.nginx.conf').replaceAll(/ {2}allow (?!127).*\n/g, '')
      const site = readDeployed('deploy/nginx.conf')
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replaceAll(/listen (\[::\]:443 ssl|80|\[::\]:80);/g, '')
        .replace('127.0.0.1:3000', origin.replace('http://', ''))
        .replace('/etc/ssl/auth.example.com.pem', certificate)
        .replace('/etc/ssl/auth.example.com.key', key)
        // The second server only answers with the address of the first.
        .replace(/server \{\s+server_name[^}]*return 301[^}]*\}/, '')
        .replace(/(?=\n {2}location \/ )/, keepsAdministrationInside ? `\n${rule}` : '')
      runNginx(t, program, directory, site)
      return { certificate }
    },
  },
  caddy: {
    variable: 'ROLLCALL_TEST_CADDY',
    run(t, program, { port, origin, directory, keepsAdministrationInside = false }) {
      const { key, certificate } = writeCertificate(directory)
      const rule = readDeployed('deploy/administration.caddy').replace(/remote_ip .*/, 'remote_ip 127.0.0.1')
      const site = readDeployed('deploy/Caddyfile')
        .replace('auth.example.com {', `auth.example.com:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`)
        .replace('127.0.0.1:3000', origin.replace('http://', ''))
        .replace(/(?=\n\treverse_proxy)/, keepsAdministrationInside ? `\n${rule}` : '')
      runCaddy(t, program, directory, ['admin off', 'auto_https disable_redirects'], site)
      return { certificate }
    },
  },
}

interface StrippedPlace {
  origin: string
  /** What the proxy takes away, such as `/iam`. */
  prefix: string
  port: number
}

/** The files of `deploy/` take no prefix away. */
const stripping: [name: string, variable: string, run: (t: Test, program: string, at: StrippedPlace) => void][] = [
  [
    'nginx',
    'ROLLCALL_TEST_NGINX',
    (t, program, { origin, prefix, port }) => {
      const proxied = `location ${prefix}/ { proxy_pass ${origin}/; proxy_set_header Host $http_host; }`
      runNginx(t, program, temporary(t), `server {\nlisten 127.0.0.1:${port};\n${proxied}\n}`)
    },
  ],
  [
    'Caddy',
    'ROLLCALL_TEST_CADDY',
    (t, program, { origin, prefix, port }) => {
      const proxied = `redir ${prefix} ${prefix}/\n\thandle_path ${prefix}/* {\n\t\treverse_proxy ${origin}\n\t}`
      const site = `http://:${port} {\n\tbind 127.0.0.1\n\t${proxied}\n}\n`
      runCaddy(t, program, temporary(t), ['admin off', 'auto_https off'], site)
    },
  ],
]

/** Proxies that take a prefix away, with no further rule. */
export const strippingProxies = stripping.map(([name, variable, run]) => {
  const program = process.env[variable]
  return {
    name,
    /** Why tests behind it are not run; false if they are. */
    skip: program ? (false as const) : `set ${variable} to the path of ${name} to run this test`,
    /** Runs it before `origin` until the end of the test; resolves to the port when it answers. */
    start: async (t: Test, origin: string, prefix: string): Promise<number> => {
      const port = await freePort()
      run(t, program ?? '', { origin, prefix, port })
      const live = `http://127.0.0.1:${port}${prefix}/health/live`
      await eventually(`${name} to answer`, () => fetch(live).catch(() => undefined))
      return port
    },
  }
})
