import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { test, type Test } from 'tap'
import rollcall, { openInstallation } from '../../../app.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { root } from '../../helpers/processes/project.js'
import { adminPassword } from '../../helpers/service/server.js'

/** An app with routes and handlers of its own, and the service below `/iam`. */
const startHost = async (t: Test, more?: (app: FastifyInstance) => void) => {
  const installation = openInstallation(
    { DATA_DIR: emptyDirectory(t), ROLLCALL_ADMIN_PASSWORD: adminPassword, RATE_LIMITS: 'off' },
    { create: true },
  )
  const app = Fastify({ pluginTimeout: 0 })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('host: nothing here'))
  app.setErrorHandler((error: Error, _request, reply) => reply.code(500).send(`host: ${error.message}`))
  app.get('/before', () => ({ host: 'before' }))
  app.register(rollcall, { prefix: '/iam', installation })
  app.get('/after', { schema: { response: { 200: { type: 'object', additionalProperties: true } } } }, () => ({
    host: 'after',
  }))
  app.post('/echo', (request) => ({ body: request.body }))
  app.get('/broken', () => {
    throw new Error('broken')
  })
  more?.(app)
  t.teardown(() => app.close())
  await app.ready()
  return app
}

const isEnvelope = (t: Test, response: LightMyRequestResponse, code: number) => {
  t.equal(response.statusCode, code, response.body)
  t.same(Object.keys(response.json<object>()).sort(), ['code', 'data', 'message', 'timestamp'])
  t.equal(response.json<{ code: number }>().code, code)
  return response.json<{ data: any }>().data
}

test('the service works below a prefix', async (t) => {
  const app = await startHost(t)
  const payload = { username: 'admin', password: adminPassword }
  const login = isEnvelope(t, await app.inject({ method: 'POST', url: '/iam/auth/login', payload }), 200)
  const headers = { authorization: `Bearer ${login.accessToken}` }
  for (const url of ['/iam/auth/userInfo', '/iam/auth/current/permissions', '/iam/system/user/page']) {
    isEnvelope(t, await app.inject({ url, headers }), 200)
    t.equal(isEnvelope(t, await app.inject({ url }), 401).reason, 'token_missing')
  }
  for (const url of ['/iam/auth/captcha', '/iam/auth/loginConfig', '/iam/health/live', '/iam/health/ready']) {
    isEnvelope(t, await app.inject({ url }), 200)
  }
  t.equal(isEnvelope(t, await app.inject({ url: '/iam/auth/nowhere' }), 404).reason, 'not_found')
  const wrong = await app.inject({ method: 'DELETE', url: '/iam/auth/login' })
  t.equal(isEnvelope(t, wrong, 405).reason, 'method_not_allowed')
  t.equal(wrong.headers.allow, 'POST')
  t.same(
    isEnvelope(t, await app.inject({ method: 'POST', url: '/iam/auth/login', payload: {} }), 400).reason,
    'invalid_request',
  )
  t.equal((await app.inject({ method: 'POST', url: '/auth/login', payload })).body, 'host: nothing here')
})

test('below a prefix too, whoever must change the password may do that first, and nothing else', async (t) => {
  const passwords: (string | undefined)[] = []
  const app = Fastify({ pluginTimeout: 0 })
  t.teardown(() => app.close())
  app.get('/system/user/page', () => ({ host: 'page' }))
  app.register(rollcall, {
    prefix: '/iam',
    installation: openInstallation({ DATA_DIR: emptyDirectory(t) }, { create: true }),
    onFirstStart: ({ password }) => passwords.push(password),
  })
  await app.ready()
  t.equal(passwords.length, 1, 'the host is told the password once')
  const oldPassword = passwords[0] ?? ''
  const payload = { username: 'admin', password: oldPassword }
  const login = isEnvelope(t, await app.inject({ method: 'POST', url: '/iam/auth/login', payload }), 200)
  t.equal(login.forcePasswordChange, true)
  const headers = { authorization: `Bearer ${login.accessToken}` }
  const page = () => app.inject({ url: '/iam/system/user/page', headers })
  t.equal(isEnvelope(t, await page(), 403).reason, 'password_change_required')
  t.same((await app.inject('/system/user/page')).json(), { host: 'page' }, 'the page of the host is its own')
  const change = { oldPassword, newPassword: 'a brand new kettle' }
  isEnvelope(t, await app.inject({ method: 'POST', url: '/iam/auth/changePassword', headers, payload: change }), 200)
  t.equal(isEnvelope(t, await page(), 200).total, 1)
})

test('the document and Swagger UI are below the prefix', async (t) => {
  const app = await startHost(t)
  const response = await app.inject('/iam/openapi.json')
  t.equal(response.statusCode, 200)
  const { paths, servers } = response.json<{ paths: object; servers: { url: string }[] }>()
  t.equal(servers[0]?.url, 'http://localhost:80/iam')
  const committed = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
    paths: object
  }
  t.same(Object.keys(paths), Object.keys(committed.paths))
  t.strictSame(
    { ...response.json<object>(), servers },
    { ...committed, servers },
    'the committed document but for servers',
  )
  t.notMatch(response.body, /"\/(before|after|echo|broken)"/, 'routes of the host are not in it')
  const docs = await app.inject('/iam/docs/')
  t.equal(docs.statusCode, 200)
  t.match(docs.body, /pages\/docs-/)
  for (const [, file] of docs.body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)) {
    const { pathname } = new URL(file ?? '', 'http://host/iam/docs/')
    t.equal((await app.inject(pathname)).statusCode, 200, pathname)
  }
  const accept = { accept: 'text/html' }
  for (const url of ['/iam', '/iam/']) {
    const page = await app.inject({ url, headers: accept })
    for (const [, link = ''] of page.body.matchAll(/href="([^"]+)"/g)) {
      const { pathname } = new URL(link, `http://host${url}`)
      t.equal((await app.inject(pathname)).statusCode, 200, `${link} on ${url}`)
    }
  }
  for (const url of ['/docs', '/docs/', '/openapi.json']) t.equal((await app.inject(url)).statusCode, 404, url)
})

test('routes, handlers and answers of the host stay as they are', async (t) => {
  const app = await startHost(t)
  for (const name of ['before', 'after']) {
    const response = await app.inject(`/${name}`)
    t.same(response.json(), { host: name }, 'no envelope, no access policy')
    for (const header of ['content-security-policy', 'x-frame-options', 'cache-control', 'www-authenticate']) {
      t.equal(response.headers[header], undefined, `no ${header} on /${name}`)
    }
  }
  const missing = await app.inject('/nowhere')
  t.equal(missing.statusCode, 404)
  t.equal(missing.body, 'host: nothing here')
  const broken = await app.inject('/broken')
  t.equal(broken.statusCode, 500)
  t.equal(broken.body, 'host: broken')
  t.same((await app.inject({ method: 'POST', url: '/echo', payload: { a: null, b: '' } })).json(), {
    body: { a: null, b: '' },
  })
  const text = { method: 'POST', url: '/echo', payload: 'plain', headers: { 'content-type': 'text/plain' } } as const
  t.same((await app.inject(text)).json(), { body: 'plain' })
  const form = { ...text, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  t.equal((await app.inject(form)).body.startsWith('host: '), true, 'no form parser for the host')
  for (const name of ['db', 'accounts', 'sessions', 'tokens', 'installation']) t.notOk(app.hasDecorator(name), name)
})

test('two services with data of their own fit into one app', async (t) => {
  const app = Fastify({ pluginTimeout: 0 })
  t.teardown(() => app.close())
  const passwords = { '/one': 'plain green teapot', '/two': 'correct horse battery' }
  for (const [prefix, password] of Object.entries(passwords)) {
    const environment = { DATA_DIR: emptyDirectory(t), ROLLCALL_ADMIN_PASSWORD: password }
    app.register(rollcall, { prefix, installation: openInstallation(environment, { create: true }) })
  }
  await app.ready()
  const login = (prefix: string, password: string) =>
    app.inject({ method: 'POST', url: `${prefix}/auth/login`, payload: { username: 'admin', password } })
  const { accessToken } = isEnvelope(t, await login('/one', passwords['/one']), 200)
  isEnvelope(t, await login('/two', passwords['/one']), 400)
  const headers = { authorization: `Bearer ${accessToken}` }
  isEnvelope(t, await app.inject({ url: '/one/auth/userInfo', headers }), 200)
  t.equal(isEnvelope(t, await app.inject({ url: '/two/auth/userInfo', headers }), 401).reason, 'token_invalid')
})

test('a host app and the service both keep their cookies', async (t) => {
  const environment = { DATA_DIR: emptyDirectory(t), ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const installation = openInstallation(environment, { create: true })
  const app = Fastify({ pluginTimeout: 0 })
  t.teardown(() => app.close())
  app.addHook('onRequest', async (_request, reply) => void reply.header('set-cookie', 'mine=1; Path=/mine'))
  app.register(rollcall, { prefix: '/iam', installation })
  const payload = { username: 'admin', password: adminPassword }
  const { cookies, statusCode } = await app.inject({ method: 'POST', url: '/iam/auth/login', payload })
  t.equal(statusCode, 200)
  t.match(cookies, [
    { name: 'mine', value: '1', path: '/mine' },
    { name: /^rollcall_device_/, httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 180 * 24 * 3600 },
  ])
  t.notHas(cookies[1], 'secure')
})
