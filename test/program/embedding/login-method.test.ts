import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import { test } from 'tap'
import rollcall, { openInstallation, type HostLoginMethod, type RollcallOptions } from '../../../app.js'
import { builtInAuthTypes } from '../../helpers/documents/document.js'
import { problem } from '../../../lib/problem.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword } from '../../helpers/service/server.js'

/** A badge number instead of a password; as a plugin of somebody else would register it. */
const badge = fp(
  async (app: FastifyInstance) => {
    app.login.register({
      name: 'badge',
      meaning: 'badge',
      summary: 'Sign-in by badge',
      needs: ['username', 'authCode'],
      captcha: 'none',
      subject: ({ username = '' }) => username,
      async verify({ username = '', authCode }, { tenantId }) {
        const user = await app.db.users.findByUsername(tenantId, username)
        if (!user || authCode !== 'badge 4711') throw problem('invalid_grant')
        return user
      },
    })
  },
  { name: 'badge', dependencies: ['identity/login', 'run/database'] },
)

test('a further login method signs in, and everything that follows is the same', async (t) => {
  const server = await startServer(t, { extend: (app) => void app.register(badge) })
  await server.addUser('alice')
  const login = (json: object) => server.call('POST', '/auth/login', { json: { authType: 'badge', ...json } })
  const data = expectSuccess(t, await login({ username: 'alice', authCode: 'badge 4711' }))
  t.same(Object.keys(data).sort(), ['accessToken', 'expiresIn', 'forcePasswordChange', 'tokenType', 'userInfo'])
  const info = await server.call('GET', '/auth/userInfo', { token: data.accessToken })
  t.same(expectSuccess(t, info), data.userInfo)
  expectProblem(t, await login({ username: 'alice', authCode: 'badge 1' }), 'invalid_grant')
  expectProblem(t, await login({ username: 'alice', password: userPassword }), 'invalid_request', ['authCode'])
  expectProblem(t, await login({}), 'invalid_request', ['username', 'authCode'])
  await server.operator.setEnabled('alice', false)
  expectProblem(t, await login({ username: 'alice', authCode: 'badge 4711' }), 'account_disabled')
})

test('failures of a further method are counted like all others', async (t) => {
  const server = await startServer(t, { extend: (app) => void app.register(badge) })
  const json = { authType: 'badge', username: 'nobody', authCode: 'badge 1' }
  for (let tries = 0; tries < 5; tries++) {
    expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_grant')
  }
  const answer = await server.call('POST', '/auth/login', { json })
  expectProblem(t, answer, 'too_many_attempts')
  t.ok(Number(answer.headers.get('retry-after')) > 0)
})

test('a further method appears in loginConfig and in the OpenAPI document', async (t) => {
  const server = await startServer(t, { extend: (app) => void app.register(badge) })
  const config = expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
  t.same(config.authTypes, ['password', 'password_captcha', 'passkey', 'badge'])
  const { text } = await server.call('GET', '/openapi.json')
  const { AuthType, LoginRequest, BadgeLogin } = JSON.parse(text).components.schemas
  t.same(AuthType.enum, [...builtInAuthTypes, 'badge'])
  t.same(LoginRequest.oneOf.at(-1), { $ref: '#/components/schemas/BadgeLogin' })
  t.same(BadgeLogin.properties.authType.enum, ['badge'])
  t.ok(BadgeLogin.properties.authCode)
})

test('without the plugin the method is unknown everywhere', async (t) => {
  const server = await startServer(t)
  const json = { authType: 'badge', username: 'admin', authCode: 'badge 4711' }
  expectProblem(t, await server.call('POST', '/auth/login', { json }), 'unsupported_auth_type')
  t.same(expectSuccess(t, await server.call('GET', '/auth/loginConfig')).authTypes, [
    ...['password', 'password_captcha', 'passkey'],
  ])
  t.notMatch((await server.call('GET', '/openapi.json')).text, /badge/)
})

test('a method can be registered below a prefix in another app', async (t) => {
  const environment = { DATA_DIR: emptyDirectory(t), ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const installation = openInstallation(environment, { create: true })
  const app = Fastify()
  t.teardown(() => app.close())
  const iam = async (scope: FastifyInstance) => {
    await scope.register(
      fp<RollcallOptions>((inner, more) => rollcall(inner, more)),
      { installation },
    )
    await scope.register(badge)
  }
  await app.register(iam, { prefix: '/iam' })
  const payload = { authType: 'badge', username: 'admin', authCode: 'badge 4711' }
  const response = await app.inject({ method: 'POST', url: '/iam/auth/login', payload })
  t.equal(response.statusCode, 200, response.body)
  t.notOk(app.hasDecorator('login'), 'nothing leaks into the host')
})

for (const name of ['badge', 'password']) {
  test(`registering ${name} a second time stops the start`, async (t) => {
    const register = fp(async (app: FastifyInstance) => {
      const method = app.login.resolve(name)
      app.login.register({ ...method })
    })
    const extend = (app: FastifyInstance) => void app.register(badge).register(register)
    await t.rejects(startServer(t, { extend }), { message: `The login method ${name} is registered twice` })
  })
}

/** A method by which everybody is the administrator. */
const asAdmin = (name: string): HostLoginMethod => ({ name, needs: ['authCode'], identify: async () => 'admin' })

for (const { names, message } of [
  { names: ['password'], message: 'The login method password is one of Rollcall itself' },
  { names: ['social'], message: 'The login method social is one of Rollcall itself' },
  { names: ['door', 'door'], message: 'The login method door is registered twice' },
  { names: ['Door 1'], message: 'The name of the login method Door 1 is not usable' },
]) {
  test(`a host that names its methods ${names.join(' and ')} does not start`, async (t) => {
    const app = Fastify({ pluginTimeout: 0 })
    t.teardown(() => app.close())
    const environment = { DATA_DIR: emptyDirectory(t), ROLLCALL_ADMIN_PASSWORD: adminPassword }
    const installation = openInstallation(environment, { create: true })
    app.register(rollcall, { prefix: '/iam', installation, loginMethods: names.map(asAdmin) })
    await t.rejects(async () => await app.ready(), { message })
  })
}

test('each try by a method of the host is in the login log, and nobody is signed in for a user who does not exist', async (t) => {
  const environment = { DATA_DIR: emptyDirectory(t), ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const app = Fastify({ pluginTimeout: 0 })
  t.teardown(() => app.close())
  const badge: HostLoginMethod = {
    name: 'badge',
    needs: ['username', 'authCode'],
    identify: async ({ username, authCode }) => (authCode === 'wrong' ? undefined : username),
  }
  app.register(rollcall, { installation: openInstallation(environment, { create: true }), loginMethods: [badge] })
  const login = async (username: string, authCode: string) => {
    const payload = { authType: 'badge', username, authCode }
    return (await app.inject({ method: 'POST', url: '/auth/login', payload })).json()
  }
  t.match(await login('admin', 'wrong'), { code: 400, data: { reason: 'invalid_credentials' } })
  t.match(await login('nobody', 'right'), { code: 400, data: { reason: 'invalid_credentials' } })
  const { data } = await login('admin', 'right')
  const headers = { authorization: `Bearer ${data.accessToken}` }
  const log = (await app.inject({ url: '/system/login-log/page', headers })).json()
  t.match(log.data.records.map(({ subject, authType, reason }: any) => [subject, authType, reason]).reverse(), [
    ['admin', 'badge', 'invalid_credentials'],
    ['n******', 'badge', 'invalid_credentials'],
    ['admin', 'badge', null],
  ])
})

const issuer = 'https://accounts.example.com'
const provider = { platform: 'corporate', kind: 'oidc', issuer, clientId: 'x', clientSecret: 'x' }
const federation = { providers: [{ ...provider, redirectUris: ['https://app.example.com/social'] }] }

for (const { title, isWayIn, status } of [
  {
    title: 'lets go of a last linked identity whom it lets in',
    isWayIn: (name: string) => name === 'ghost',
    status: 200,
  },
  { title: 'does not help whom it does not let in', isWayIn: (name: string) => name !== 'ghost', status: 400 },
  { title: 'counts as no way in unless it says so', isWayIn: undefined, status: 400 },
]) {
  test(`a method of the host ${title}`, async (t) => {
    const door: HostLoginMethod = {
      name: 'door',
      needs: ['username'],
      identify: async ({ username }) => username,
      ...(isWayIn && { isWayIn: ({ username }) => isWayIn(username) }),
    }
    const server = await startServer(t, { settings: { federation }, loginMethods: [door] })
    const { db } = server.app
    const ghost = { tenantId: 1, username: 'ghost', realName: 'G', userType: 2 as const, passwordHash: null }
    const { id } = await db.users.add({ ...ghost, forcePasswordChange: false }, 1)
    const identity = { userId: id, tenantId: 1, platform: 'corporate', issuer, displayName: null, createTime: 1 }
    await db.identities.add({ ...identity, subject: 'one' })
    const json = { authType: 'door', username: 'ghost' }
    const token = expectSuccess(t, await server.call('POST', '/auth/login', { json })).accessToken
    const [linked] = await db.identities.ofUser(id)
    const answer = await server.call('DELETE', `/social/bind/${linked?.id}`, { token })
    t.equal(answer.status, status, answer.text)
    if (status === 400) expectProblem(t, answer, 'invalid_request', ['id'])
    t.equal((await db.identities.ofUser(id)).length, status === 200 ? 0 : 1)
  })
}

test('the document shows what a method of the host says of itself', async (t) => {
  const door: HostLoginMethod = {
    name: 'front_door',
    needs: ['username', 'authCode'],
    takes: ['state'],
    summary: 'number of a badge',
    example: { username: 'admin', authCode: '4711' },
    identify: async () => undefined,
  }
  const server = await startServer(t, { loginMethods: [door, { ...asAdmin('back_door'), captcha: 'required' }] })
  const { schemas, examples }: any = (server.app.swagger() as any).components
  const { FrontDoorLogin: front, BackDoorLogin: back, LoginRequest: any } = schemas
  t.equal(front.description, 'Sign-in by number of a badge')
  t.same(front.required, ['authType', 'username', 'authCode'])
  t.same(Object.keys(front.properties), ['authType', 'username', 'authCode', 'state', 'tenantId', 'userClient'])
  t.same(examples.FrontDoorLogin, { value: { username: 'admin', authCode: '4711', authType: 'front_door' } })
  t.match(schemas.AuthType.description, '- `front_door`: number of a badge')
  t.same(back.required, ['authType', 'authCode', 'code', 'codeKey'], 'the captcha too')
  t.ok(back.properties.phone, 'all fields where the method does not say which it reads')
  t.same(
    any.oneOf.slice(-2).map(({ $ref }: any) => $ref.split('/').at(-1)),
    ['FrontDoorLogin', 'BackDoorLogin'],
  )
})
