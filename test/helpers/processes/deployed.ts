import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request, type RequestOptions } from 'node:https'
import { join } from 'node:path'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { root } from './project.js'

export const readDeployed = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Service {
  environment: Record<string, string>
  volumes: string[]
  [name: string]: unknown
}

export const readCompose = () =>
  parse(readDeployed('compose.yaml')) as { services: Record<'rollcall' | 'postgres' | 'redis', Service> }

/** The instructions of the last stage of the Dockerfile, in their order: `['COPY', 'package.json ./']`. */
export const lastStage = (): [instruction: string, rest: string][] => {
  const lines = readDeployed('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '')
  const begin = lines.findLastIndex((line) => line.startsWith('FROM'))
  return lines.slice(begin).map((line) => {
    const [, instruction = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    return [instruction, rest]
  })
}

/** Writes a certificate that only tests trust, for these hosts, and returns the paths of it and its key. */
export const writeCertificate = (directory: string, hosts = ['auth.example.com']) => {
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  const names = hosts.map((host) => `DNS:${host}`).join(',')
  const subject = ['-subj', `/CN=${hosts[0] ?? ''}`, '-addext', `subjectAltName=${names}`]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return { key, certificate }
}

/** Runs a program until the end of the test. */
export const runUntilEnd = (t: Test, program: string, args: string[], variables: Record<string, string> = {}) => {
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '', ...variables } })
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
}

/** Runs nginx with these servers until the end of the test. */
export const runNginx = (t: Test, program: string, directory: string, servers: string): void => {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  const file = join(directory, 'nginx.conf')
  // Root's workers would run as somebody who may not write to the folder of the test.
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  const outside = `${user}daemon off;\npid ${directory}/pid;\nerror_log stderr;\nevents {}\n`
  writeFileSync(file, `${outside}http {\naccess_log off;\n${paths.join('\n')}\n${servers}\n}\n`)
  runUntilEnd(t, program, ['-c', file, '-p', directory])
}

export interface SecureAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: any
}

/** A request over TLS to a port of this machine as if it had the name `auth.example.com`. */
export const askSecurely = async (
  port: number,
  options: RequestOptions & { certificate: string },
  body?: string | Buffer,
): Promise<SecureAnswer> => {
  const { certificate, headers, ...more } = options
  const agent = new Agent({ ca: readFileSync(certificate), servername: 'auth.example.com' })
  const asked = request({ host: '127.0.0.1', port, agent, headers: { host: 'auth.example.com', ...headers }, ...more })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const text = (await answer.toArray()).join('')
  agent.destroy()
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  }
}
