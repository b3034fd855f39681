import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { programs } from '../../helpers/processes/project.js'
import { adminPassword } from '../../helpers/service/passwords.js'

/**
 * Starts the service in a process of its own, and prints after each request which packages of second factors the event loop has loaded, and
 * for how many milliseconds it was held at most.
 */
const program = (app: string, authenticator: string) => `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      const name = /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? ''
      if (/^(@simplewebauthn|@peculiar|@hexagon|@levischuck)\\/|^(otpauth|uqr|reflect-metadata)$/.test(name)) loaded.add(name)
      return next(url, context)
    },
  })
  const { default: Fastify } = await import('fastify')
  const { default: rollcall, openInstallation, serverOptions } = await import(${JSON.stringify(app)})
  const { createAuthenticator } = await import(${JSON.stringify(authenticator)})
  const installation = openInstallation(process.env, { create: true })
  const server = Fastify(serverOptions(installation.settings))
  await server.register(rollcall, { installation })
  await server.listen({ host: '127.0.0.1', port: 0 })
  let held = 0
  // Time of the processor, where Node.js tells that of a thread: other programs do not count.
  const time = () => {
    const used = process.threadCpuUsage?.()
    return used ? (used.user + used.system) / 1000 : performance.now()
  }
  let last = time()
  const look = () => {
    const now = time()
    held = Math.max(held, now - last)
    last = now
    if (server.server.listening) setImmediate(look)
  }
  look()
  const done = []
  const call = async (url, payload, token) => {
    const headers = token === undefined ? {} : { authorization: 'Bearer ' + token }
    held = 0
    const answer = await server.inject({ method: 'POST', url, payload, headers })
    // Until \`look\` has seen the end of it.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    done.push({ status: answer.statusCode, loaded: [...loaded].sort(), held })
    return answer.json().data
  }
  const key = createAuthenticator('http://localhost:' + server.server.address().port)
  const credentials = { username: 'admin', password: process.env.ROLLCALL_ADMIN_PASSWORD }
  const { accessToken } = await call('/auth/login', credentials)
  const creation = await call('/auth/factors/passkey/options', {}, accessToken)
  await call('/auth/factors/passkey', { credential: key.create(creation) }, accessToken)
  const options = await call('/auth/passkey/options', {})
  await call('/auth/login', { authType: 'passkey', credential: key.get(options) })
  await call('/auth/factors/totp', {}, accessToken)
  console.log(JSON.stringify(done))
  await server.close()
`

interface Done {
  status: number
  loaded: string[]
  held: number
}

const run = (t: Test): Done[] => {
  const [app, authenticator] = ['app.js', 'bench/authenticator.js'].map(
    (name) => pathToFileURL(join(programs, name)).href,
  )
  const script = program(app ?? '', authenticator ?? '')
  const env = {
    ...process.env,
    DATA_DIR: emptyDirectory(t),
    ROLLCALL_ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'silent',
    NODE_OPTIONS: '',
  }
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env, encoding: 'utf8' })
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Done[]
}

test('the libraries of second factors are loaded when they are first used, and those of passkeys never beside requests', (t) => {
  const [totp, ...others] = run(t).reverse()
  for (const { status, loaded } of others) t.strictSame({ status, loaded }, { status: 200, loaded: [] })
  t.equal(others.length, 5)
  t.equal(totp?.status, 200)
  t.strictSame(totp?.loaded, ['otpauth', 'uqr'])
  t.end()
})

/** Milliseconds: four times what it takes alone, because other tests run beside it. Without the thread it was 270. */
const mostHeld = 80

test('no first use of a second factor after a start holds others for long', (t) => {
  let held: number[] = [Infinity]
  for (let start = 0; start < 10 && Math.max(...held) > mostHeld; start++) {
    // The sign-in before them loads nothing of second factors.
    held = run(t)
      .slice(1)
      .map((done, index) => Math.min(Math.round(done.held), held[index] ?? Infinity))
  }
  t.ok(Math.max(...held) <= mostHeld, `${held.join(', ')} ms`)
  t.end()
})
