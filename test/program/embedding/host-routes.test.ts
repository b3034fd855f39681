import Fastify, { type FastifyInstance, type RouteShorthandOptions } from 'fastify'
import fp from 'fastify-plugin'
import { test, type Test } from 'tap'
import rollcall, { callerOf, covers, guardRoutes, openInstallation, type RollcallOptions } from '../../../app.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { createOperator } from '../../helpers/service/operator.js'
import { adminPassword } from '../../helpers/service/server.js'

const openData = (t: Test, environment: Record<string, string> = { ROLLCALL_ADMIN_PASSWORD: adminPassword }) =>
  openInstallation({ DATA_DIR: emptyDirectory(t), RATE_LIMITS: 'off', ...environment }, { create: true })

const declare = (app: FastifyInstance, more: RouteShorthandOptions = {}) => {
  app.get('/mine', { ...more, config: { access: 'session' } }, (request) => ({ name: callerOf(request).user.username }))
  app.get('/reports', { ...more, config: { access: 'report:daily:read' } }, () => ({ host: 'reports' }))
  app.get('/open', { ...more, config: { access: 'open' } }, () => ({ host: 'open' }))
  app.get('/plain', more, () => ({ host: 'plain' }))
  app.get('/mistaken', { ...more, config: { access: 'open' } }, (request) => ({
    name: callerOf(request).user.username,
  }))
}

/** Every way in which routes of a host and the service come together. */
const arrangements: Record<string, (app: FastifyInstance, options: RollcallOptions) => void> = {
  'declared after the service is registered': (app, options) => {
    app.register(rollcall, { prefix: '/iam', ...options })
    declare(app)
  },
  'declared before the service is registered': (app, options) => {
    declare(app)
    app.register(rollcall, { prefix: '/iam', ...options })
  },
  'declared in a plugin before': (app, options) => {
    app.register(async (inner) => declare(inner))
    app.register(rollcall, { prefix: '/iam', ...options })
  },
  'declared in a plugin after': (app, options) => {
    app.register(rollcall, { prefix: '/iam', ...options })
    app.register(async (inner) => declare(inner))
  },
  'declared beside a plugin that registers the service': (app, options) => {
    app.register(async (inner) => {
      await inner.register(rollcall, { prefix: '/iam', ...options })
    })
    app.register(async (inner) => declare(inner))
  },
  'declared before the service is registered as a part of the app itself': (app, options) => {
    declare(app)
    app.register(async (inner) => {
      await inner.register(
        fp<RollcallOptions>((same, more) => rollcall(same, more)),
        { prefix: '/iam', ...options },
      )
    })
  },
}

const startHost = async (t: Test, arrange: (app: FastifyInstance) => void, isGuarded: boolean) => {
  const app = Fastify({ pluginTimeout: 0 })
  t.teardown(() => app.close())
  if (isGuarded) guardRoutes(app)
  arrange(app)
  await app.ready()
  return app
}

const signIn = async (app: FastifyInstance, username: string, password: string, prefix = '/iam') => {
  for (const url of [`${prefix}/auth/login`, '/auth/login']) {
    const response = await app.inject({ method: 'POST', url, payload: { username, password } })
    if (response.statusCode === 200) {
      return { authorization: `Bearer ${response.json<{ data: { accessToken: string } }>().data.accessToken}` }
    }
  }
  throw new Error(`the sign-in of ${username} was refused`)
}

for (const [name, arrange] of Object.entries(arrangements)) {
  for (const isGuarded of [true, false]) {
    test(`guards of routes ${name} hold ${isGuarded ? 'with' : 'without'} guardRoutes`, async (t) => {
      const installation = openData(t)
      const app = await startHost(t, (host) => arrange(host, { installation }), isGuarded)
      for (const url of ['/mine', '/reports']) {
        const missing = await app.inject(url)
        t.match(missing.json(), { statusCode: 401, code: 'token_missing' })
        t.match(missing.headers['www-authenticate'], /^Bearer realm="rollcall"$/)
        t.notMatch(missing.body, /host|admin|stack|node_modules/)
        const wrong = await app.inject({ url, headers: { authorization: 'Bearer wrong' } })
        t.match(wrong.json(), { statusCode: 401, code: 'token_invalid' })
        t.match(wrong.headers['www-authenticate'], 'error="invalid_token"')
        t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 401)
      }
      const headers = await signIn(app, 'admin', adminPassword)
      t.same((await app.inject({ url: '/mine', headers })).json(), { name: 'admin' })
      t.same((await app.inject({ url: '/reports', headers })).json(), { host: 'reports' })
      t.same((await app.inject('/open')).json(), { host: 'open' })
      t.same((await app.inject('/plain')).json(), { host: 'plain' })
      const mistaken = await app.inject({ url: '/mistaken', headers })
      t.match(mistaken.json(), { statusCode: 500, message: 'an open route has no caller' })
      await app.inject({ method: 'POST', url: '/iam/auth/logout', headers })
      await app.inject({ method: 'POST', url: '/auth/logout', headers })
      t.match((await app.inject({ url: '/mine', headers })).json(), { statusCode: 401, code: 'session_revoked' })
    })
  }
}

test('a guard asks for the permission, and for a new password where one must be set', async (t) => {
  let password = ''
  const installation = openData(t, {})
  const app = Fastify({ pluginTimeout: 0 })
  t.teardown(() => app.close())
  guardRoutes(app)
  app.register(async (inner) => {
    await inner.register(
      fp<RollcallOptions>((same, more) => rollcall(same, more)),
      { installation, onFirstStart: (first) => (password = first.password ?? '') },
    )
    await createOperator(inner).addUser({ username: 'ada', password: 'plain green teapot', forcePasswordChange: false })
  })
  declare(app)
  await app.ready()
  const ada = await signIn(app, 'ada', 'plain green teapot')
  t.same((await app.inject({ url: '/mine', headers: ada })).json(), { name: 'ada' })
  t.match((await app.inject({ url: '/reports', headers: ada })).json(), { statusCode: 403, code: 'permission_denied' })
  const admin = await signIn(app, 'admin', password)
  for (const url of ['/mine', '/reports']) {
    const response = await app.inject({ url, headers: admin })
    t.match(response.json(), { statusCode: 403, code: 'password_change_required' })
  }
})

test('the caller has the keys of its roles and its permissions, which `covers` reads as the service does', async (t) => {
  const app = Fastify({ pluginTimeout: 0 })
  t.teardown(() => app.close())
  app.register(async (inner) => {
    await inner.register(
      fp<RollcallOptions>((same, more) => rollcall(same, more)),
      { installation: openData(t) },
    )
    const operator = createOperator(inner)
    await operator.addUser({ username: 'ada', password: 'plain green teapot', forcePasswordChange: false })
    await operator.addRole('reader', 'Reader', ['report:*:read'])
    await operator.assign('reader', 'ada')
  })
  app.get('/self', { config: { access: 'session' } }, (request) => {
    const { roleKeys, permissions } = callerOf(request).user
    const asked = ['report:daily:read', 'report:daily:write', 'report:daily:read:x'] as const
    return { roleKeys, permissions, covered: asked.map((permission) => permissions.some(covers(permission))) }
  })
  await app.ready()
  // Twice: from the database, and from the cache.
  const ada = await signIn(app, 'ada', 'plain green teapot')
  for (const headers of [ada, ada]) {
    const expected = { roleKeys: ['reader'], permissions: ['report:*:read'], covered: [true, false, false] }
    t.same((await app.inject({ url: '/self', headers })).json(), expected)
  }
  const admin = await signIn(app, 'admin', adminPassword)
  const { permissions, covered } = (await app.inject({ url: '/self', headers: admin })).json<Record<string, unknown>>()
  t.same(permissions, ['*:*:*'])
  t.same(covered, [true, true, false])
})

for (const access of [42, 'sesion', '', null, true, 'report:*', ['session'], { any: 'session' }]) {
  const config = { access } as never
  test(`the policy ${JSON.stringify(access)} is refused at the start, or lets nobody through`, async (t) => {
    const arrange = (app: FastifyInstance) => {
      app.register(rollcall, { prefix: '/iam', installation: openData(t) })
      app.get('/mine', { config }, () => ({ host: 'mine' }))
    }
    await t.rejects(startHost(t, arrange, true), { message: /^Route GET \/mine has an unknown access policy: / })
    const app = await startHost(t, arrange, false)
    const headers = await signIn(app, 'admin', adminPassword)
    for (const request of [{}, { headers }]) {
      const response = await app.inject({ url: '/mine', ...request })
      t.match(response.json(), { statusCode: 500, code: 'internal_error' })
      t.notMatch(response.body, /host|access|stack/)
    }
  })
}

test('with two services in one app nobody is let through: whose sessions count is not known', async (t) => {
  const arrange = (app: FastifyInstance) => {
    for (const prefix of ['/one', '/two']) app.register(rollcall, { prefix, installation: openData(t) })
    declare(app)
  }
  const app = await startHost(t, arrange, true)
  const headers = await signIn(app, 'admin', adminPassword, '/one')
  for (const url of ['/mine', '/reports']) t.equal((await app.inject({ url, headers })).statusCode, 500)
  t.same((await app.inject('/open')).json(), { host: 'open' })
})

test('guardRoutes without the service does not start', async (t) => {
  await t.rejects(startHost(t, declare, true), { message: /does not register rollcall/ })
})

test('apps without the service may mean something else by `access`', async (t) => {
  const app = await startHost(t, (host) => host.get('/mine', { config: { access: 42 } as never }, () => 'host'), false)
  t.equal((await app.inject('/mine')).body, 'host')
})
