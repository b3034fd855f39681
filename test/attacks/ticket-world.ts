import type { Test } from 'tap'
import { operatorActor } from '../../lib/actor.js'
import { startFederation } from '../helpers/peers/federation.js'
import { bodyOf, startMailServer } from '../helpers/peers/mail-server.js'
import { expectSuccess } from '../helpers/service/expect.js'
import { codeAt, enrol, firstStep, type App } from '../helpers/service/factors.js'
import { codeIn } from '../helpers/service/self-service.js'
import {
  adminPassword,
  userPassword,
  type Answer,
  type CallOptions,
  type TestServer,
} from '../helpers/service/server.js'

/** What may change between the moment in which something is given and that in which it is used. */
export type Change =
  | 'password changed'
  | 'factor added'
  | 'factors removed'
  | 'account disabled'
  | 'tenant disabled'
  | 'contact moved'
  | 'session ended'
  | 'permissions taken'
  | 'identity unlinked'

/** Where a second factor is required, the administrator sets one up. */
const signInAsAdmin = async (t: Test, server: TestServer): Promise<string> => {
  const { status, body } = await firstStep(server, 'admin', { json: { password: adminPassword } })
  if (status === 200) return body.data.accessToken as string
  const { ticket } = body.data
  const { key, secret } = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { json: { ticket } }))
  const json = { ticket, key, code: codeAt(secret, server.clock.now()) }
  return expectSuccess(t, await server.call('POST', '/auth/factors/totp/confirm', { json })).session.accessToken
}

export const startTicketServer = async (t: Test, secondFactor: object = {}) => {
  const mailServer = await startMailServer(t)
  const federation = await startFederation(t, {
    federation: { unknownIdentity: 'refuse' },
    environment: { SMTP_URL: mailServer.url, ROLLCALL_DEV_ECHO: '1' },
    settings: {
      captcha: { mode: 'never' },
      registration: { mode: 'open', tenants: Array.from({ length: 99 }, (_, index) => index + 1) },
      oneTimeCodes: { addressPerDay: 1_000_000 },
      secondFactor,
    },
  })
  const admin = await signInAsAdmin(t, federation.server)
  let number = 0

  /** A new tenant with the user `alice`, who is signed in. */
  const openWorld = async (t: Test) => {
    const { server } = federation
    const name = `world-${++number}`
    const email = `alice@${name}.example`
    const { id: tenantId } = await server.operator.addTenant(name)
    await server.operator.addRole('lister', 'Lister', ['system:user:list'], tenantId)
    const user = await server.addUser('alice', { tenantId, email, roles: ['lister'] })
    const other = await server.addUser('bob', { tenantId })
    const call = (method: string, path: string, json?: object, more: CallOptions = {}): Promise<Answer> =>
      server.call(method, path, { ...(json && { json }), ...more })
    const works = async (answer: Promise<Answer>): Promise<any> => expectSuccess(t, await answer)
    const login = (json: object, more: CallOptions = {}) => call('POST', '/auth/login', { tenantId, ...json }, more)
    const byPassword = (more: object = {}, options: CallOptions = {}) =>
      login({ username: 'alice', password: userPassword, ...more }, options)
    const moveContact = async () => {
      await works(call('PATCH', `/system/user/${user.id}`, { email: `new@${name}.example` }, { token: admin }))
      await works(call('PATCH', `/system/user/${other.id}`, { email }, { token: admin }))
    }
    const world = {
      ...{ t, server, federation, tenantId, email, user, other, admin, call, works, login, byPassword, moveContact },
      token: '',
      app: undefined as App | undefined,
      /** Signs in by password, without a second factor. */
      signIn: async () => (world.token = (await works(byPassword())).accessToken as string),
      enrol: async () => (world.app = await enrol(t, server, await world.signIn())),
      nextCode: () => world.app?.nextCode() ?? '',
      mailedCode: async (action: () => Promise<unknown>): Promise<string> => {
        const count = mailServer.mails.length
        await action()
        for (let index = count; ; index++) {
          const mail = (await mailServer.waitFor(index + 1))[index]
          const code = mail?.to.includes(email) ? codeIn(bodyOf(mail.raw)) : ''
          if (code !== '') return code
        }
      },
      async change(what: Change) {
        server.clock.advance(1)
        const { token } = world
        if (what === 'password changed')
          await server.app.management.setPassword(operatorActor(), user.id, 'another long phrase', {
            forcePasswordChange: false,
          })
        if (what === 'factor added') {
          const [id, now] = [`${name}-app`, server.clock.now()]
          const row = { id, userId: user.id, name: 'Other', encryptedSecret: 'x', lastStep: 0 }
          await server.app.db.transaction(async (inside) => {
            await inside.totpSecrets.add({ ...row, createTime: now, lastUsedTime: now })
            await server.app.accounts.writes.noteFactors(inside, user.id, undefined)
          })
        }
        if (what === 'factors removed')
          await works(call('DELETE', `/system/user/${user.id}/factors`, undefined, { token: admin }))
        if (what === 'account disabled') await server.operator.setEnabled('alice', false, tenantId)
        if (what === 'tenant disabled') await server.operator.setTenantEnabled(tenantId, false)
        if (what === 'contact moved') await moveContact()
        if (what === 'session ended') await works(call('POST', '/auth/logout', {}, { token }))
        if (what === 'permissions taken')
          await works(call('PUT', `/system/user/${user.id}/roles`, { roleKeys: [] }, { token: admin }))
        if (what === 'identity unlinked')
          await server.app.db.transaction((inside) => inside.identities.removeOfUser(user.id))
      },
    }
    return world
  }
  return { openWorld, server: federation.server }
}

export type World = Awaited<ReturnType<Awaited<ReturnType<typeof startTicketServer>>['openWorld']>>
