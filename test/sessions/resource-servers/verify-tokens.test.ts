import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { startChild } from '../../helpers/processes/child.js'
import { codeBlocksOf, readDocument } from '../../helpers/documents/documents.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { run } from '../../helpers/processes/package.js'
import { eventually } from '../../helpers/processes/process.js'
import { root } from '../../helpers/processes/project.js'
import { startServer, type ServerOptions } from '../../helpers/service/server.js'

const page = readDocument('docs/verify-tokens.md')
const blocks = codeBlocksOf(page)
const blockWith = (text: string): string => {
  const [found, another] = blocks.filter(({ code }) => code.includes(text))
  if (!found || another) throw new Error(`not one block with ${text}`)
  return found.code
}

/** jose compares with the clock of the machine. */
const startNow = (t: Test, options: ServerOptions = {}) => startServer(t, { time: Date.now(), ...options })

/** A project of somebody who has installed jose. */
const project = (t: Test): string => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(join(root, 'node_modules/jose'), join(directory, 'node_modules/jose'))
  return directory
}

const get = async (url: string, token?: string, headers: Record<string, string> = {}) => {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers: { ...headers, ...authorization } })
  return { status: response.status, text: await response.text(), challenge: response.headers.get('www-authenticate') }
}

test('every code block of the page is run below, or is marked as not run', (t) => {
  t.same(
    blocks.map(({ language }) => language),
    ['js', 'json', 'sh', 'json', 'js', 'json', 'nginx', 'yaml'],
  )
  t.match(page, /## Envoy\n\nNot run:/)
  t.end()
})

test('the service with jose accepts tokens for it, until they expire, and no others', async (t) => {
  const settings = JSON.parse(blockWith('"audiences"')) as object
  const server = await startNow(t, { settings: { ...settings } })
  const directory = project(t)
  writeFileSync(join(directory, 'reports.mjs'), blockWith('createRemoteJWKSet'))
  const environment = { ROLLCALL: server.origin, PORT: '0' }
  const { child, output } = startChild(t, join(directory, 'reports.mjs'), [], { directory, environment })
  const port = await eventually('the service to listen', () => {
    if (child.exitCode !== null) throw new Error(output.stderr)
    return /listening on port (\d+)/.exec(output.stdout)?.[1]
  })
  const reports = `http://127.0.0.1:${port}/`
  const { accessToken } = await server.signIn()
  t.match(await get(reports, accessToken), { status: 200, text: 'The reports of user 1\n' })
  const others = await server.signIn('admin', undefined, { userClient: 'app' })
  for (const token of [undefined, 'nothing', `${accessToken.slice(0, -4)}AAAA`, others.accessToken])
    t.match(await get(reports, token), { status: 401, text: '', challenge: 'Bearer' })
  // What the page says that it does not see.
  await server.call('POST', '/auth/logout', { token: accessToken })
  t.equal((await server.call('GET', '/auth/userInfo', { token: accessToken })).status, 401)
  t.equal((await get(reports, accessToken)).status, 200)
  server.clock.advance(-3600)
  t.equal((await get(reports, (await server.signIn()).accessToken)).status, 401, 'an expired token')
})

test('the commands make a secret and its hash, and the introspection of the page works with them', async (t) => {
  const directory = project(t)
  const hash = run(directory, 'bash', ['-euc', blockWith('openssl rand')]).trim()
  t.match(hash, /^sha256:[0-9a-f]{64}$/)
  t.equal(run(directory, 'stat', ['-c', '%a', 'reports.secret']).trim(), '600')
  const configured = JSON.parse(blockWith('"introspection"').replace('sha256:…', hash)) as object
  const { clients } = JSON.parse(blockWith('"audiences"')) as { clients: object }
  const server = await startNow(t, { settings: { ...configured, clients } })
  writeFileSync(join(directory, 'introspect.mjs'), blockWith('export const introspect'))
  const code = `process.chdir(${JSON.stringify(directory)})
const { introspect } = await import('./introspect.mjs')
for (const token of process.argv.slice(2)) console.log(JSON.stringify(await introspect(token)))\n`
  writeFileSync(join(directory, 'ask.mjs'), code)
  const { accessToken } = await server.signIn()
  const environment = { ROLLCALL: server.origin }
  const { output, ended } = startChild(t, join(directory, 'ask.mjs'), [accessToken, 'nothing'], {
    directory,
    environment,
  })
  await ended
  const [active = '', inactive] = output.stdout.split('\n')
  t.match(JSON.parse(active), JSON.parse(blockWith('"active"')), output.stderr)
  t.equal(inactive, '{"active":false}')
})

const nginx = process.env['ROLLCALL_TEST_NGINX']
const skip = nginx ? false : 'set ROLLCALL_TEST_NGINX to the path of nginx to run the test of auth_request'

test('nginx asks Rollcall before each request and tells the service who the user is', { skip }, async (t) => {
  const server = await startNow(t, { environment: { TRUST_PROXY: '127.0.0.1' } })
  const service = createServer((request, response) => response.end(`user ${String(request.headers['x-user-id'])}`))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  t.teardown(() => service.close())
  const port = await freePort()
  const directory = project(t)
  const configured = blockWith('auth_request')
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replace('http://127.0.0.1:4000', `http://127.0.0.1:${(service.address() as AddressInfo).port}`)
    .replace('http://127.0.0.1:3000', server.origin)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  const file = join(directory, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off;\npid ${directory}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${configured}}\n`,
  )
  const child = spawn(nginx ?? '', ['-c', file, '-p', directory], { stdio: 'ignore' })
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const origin = `http://127.0.0.1:${port}`
  await eventually('nginx to answer', async () => {
    const answer = await get(`${origin}/reports/`).catch(() => undefined)
    return answer ? true : undefined
  })
  const { accessToken: admin } = await server.signIn()
  const forged = { 'x-user-id': '999' }
  t.match(await get(`${origin}/reports/`, admin, forged), { status: 200, text: 'user 1' })
  t.match(await get(`${origin}/reports/`), { status: 401, challenge: /^Bearer/ })
  t.match(await get(`${origin}/reports/`, 'nothing'), { status: 401 })
  await server.addUser('alice')
  t.match(await get(`${origin}/reports/`, (await server.signIn('alice')).accessToken), { status: 403 })
  t.equal((await get(`${origin}/_rollcall`, admin)).status, 404, 'the address of the check is not served')
  await server.call('POST', '/auth/logout', { token: admin })
  t.match(await get(`${origin}/reports/`, admin), { status: 401 })
  await server.app.close()
  t.match(await get(`${origin}/reports/`, admin), { status: 500 }, 'nothing gets through without Rollcall')
})
