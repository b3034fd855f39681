import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { programs } from '../../helpers/processes/project.js'
import { adminPassword } from '../../helpers/service/passwords.js'

/** Starts the service in a process of its own, and prints the packages of second factors that are loaded after each request. */
const program = (app: string) => `
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
  const installation = openInstallation(process.env, { create: true })
  const server = Fastify(serverOptions(installation.settings))
  await server.register(rollcall, { installation })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const call = async (url, payload, token) => {
    const headers = token === undefined ? {} : { authorization: 'Bearer ' + token }
    const answer = await server.inject({ method: 'POST', url, payload, headers })
    return { status: answer.statusCode, data: answer.json().data, loaded: [...loaded].sort() }
  }
  const password = process.env.ROLLCALL_ADMIN_PASSWORD
  const signedIn = await call('/auth/login', { username: 'admin', password })
  const options = await call('/auth/passkey/options', {})
  const totp = await call('/auth/factors/totp', {}, signedIn.data.accessToken)
  console.log(JSON.stringify([signedIn, options, totp].map(({ status, loaded }) => ({ status, loaded }))))
  await server.close()
`

test('the libraries of second factors are loaded when they are first used, not at the start and not by a sign-in', (t) => {
  const script = program(pathToFileURL(join(programs, 'app.js')).href)
  const env = {
    ...process.env,
    DATA_DIR: emptyDirectory(t),
    ROLLCALL_ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'silent',
    NODE_OPTIONS: '',
  }
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env, encoding: 'utf8' })
  const [signedIn, options, totp] = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as {
    status: number
    loaded: string[]
  }[]
  t.strictSame(signedIn, { status: 200, loaded: [] })
  t.equal(options?.status, 200)
  t.ok(options?.loaded.includes('@simplewebauthn/server'))
  t.notOk(options?.loaded.includes('otpauth'))
  t.equal(totp?.status, 200)
  t.ok(totp?.loaded.includes('otpauth') && totp.loaded.includes('uqr'))
  t.end()
})
