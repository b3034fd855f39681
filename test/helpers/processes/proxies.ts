import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { readDeployed, runNginx, runUntilEnd, writeCertificate } from './deployed.js'

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
      const file = join(directory, 'Caddyfile')
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
      const home = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
      runUntilEnd(t, program, ['run', '--config', file, '--adapter', 'caddyfile'], home)
      return { certificate }
    },
  },
}
