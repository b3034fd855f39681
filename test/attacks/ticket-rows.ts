import { codeAt, cookiesOf } from '../helpers/service/factors.js'
import { authenticatorOf, addPasskey, requestOptions } from '../helpers/service/passkeys.js'
import { createPageBrowser } from '../helpers/service/page-browser.js'
import { userPassword, type Answer } from '../helpers/service/server.js'
import type { Change, World } from './ticket-world.js'

type Use = (world: World) => Promise<Answer>

/** A ticket, a code or a key of the service. */
export interface Row {
  name: string
  /** Makes one; resolves to what uses it. */
  give: (world: World) => Promise<Use>
  /** What a second use gets; absent for what is good more than once. */
  used?: string
  /** What a use gets after each change that ends it; `good` where it lives on, which the name says why. */
  after: Partial<Record<Change, string>>
}

const required = { policy: 'required', graceDays: 0 }
const newPassword = 'violet umbrella stand'
/** Whatever ends the sessions ends what was given in them. */
const ended = {
  'password changed': 'session_revoked',
  'account disabled': 'session_revoked',
  'tenant disabled': 'session_revoked',
}
const closed = { 'account disabled': 'account_disabled', 'tenant disabled': 'tenant_disabled' }

const secondStep =
  (ticket: string): Use =>
  ({ login, nextCode }) =>
    login({ authType: 'totp', ticket, code: nextCode() })

/** Sets an app up with a ticket; resolves to its last request. */
const setUp = async ({ call, works, server }: World, ticket: string, more: object = {}): Promise<Use> => {
  const { key, secret } = await works(call('POST', '/auth/factors/totp', { ticket }))
  return () =>
    call('POST', '/auth/factors/totp/confirm', { ticket, key, code: codeAt(secret, server.clock.now()), ...more })
}

const linkIdentity = async (world: World): Promise<void> => {
  const { federation, works, call, tenantId, email, signIn } = world
  const token = await signIn()
  const socialTicket = await federation.ticketOf(email, 'corporate', { tenantId, token })
  await works(call('POST', '/social/bind', { socialTicket }, { token }))
}

const verifyContact = ({ server, user }: World, text: string): Promise<void> =>
  server.app.accounts.writes.verifyContact(server.app.db, user.id, { kind: 'email', text })

export const rows: Row[] = [
  {
    name: 'the ticket of a second step',
    async give({ enrol, byPassword }) {
      await enrol()
      return secondStep((await byPassword()).body.data.ticket)
    },
    used: 'invalid_grant',
    after: {
      ...closed,
      'password changed': 'invalid_grant',
      'factor added': 'invalid_grant',
      'factors removed': 'unsupported_auth_type',
    },
  },
  {
    name: 'the ticket of a second step after a code by mail',
    async give({ enrol, call, works, login, email, tenantId }) {
      await enrol()
      const { code } = await works(call('POST', '/auth/captcha/email', { email, tenantId }))
      return secondStep((await login({ authType: 'email_captcha', email, code })).body.data.ticket)
    },
    used: 'invalid_grant',
    after: { ...closed, 'password changed': 'invalid_grant', 'contact moved': 'invalid_grant' },
  },
  {
    name: 'a challenge for a passkey as the second step',
    async give(world) {
      const { server, t, byPassword, login, signIn } = world
      const authenticator = authenticatorOf(server)
      await addPasskey(t, server, authenticator, { token: await signIn() })
      const { ticket } = (await byPassword()).body.data
      const credential = authenticator.get(await requestOptions(t, server, { ticket }))
      return () => login({ authType: 'passkey', ticket, credential })
    },
    used: 'invalid_grant',
    after: {
      ...closed,
      'password changed': 'invalid_grant',
      'factor added': 'invalid_grant',
      'factors removed': 'unsupported_auth_type',
    },
  },
  {
    name: 'a challenge for a passkey as the only method',
    async give({ server, t, login, signIn }) {
      const authenticator = authenticatorOf(server)
      await addPasskey(t, server, authenticator, { token: await signIn() })
      const credential = authenticator.get(await requestOptions(t, server))
      return () => login({ authType: 'passkey', credential })
    },
    used: 'invalid_grant',
    after: { ...closed, 'factors removed': 'unknown_credential' },
  },
  {
    name: 'the key of an app that a session sets up',
    async give(world) {
      const token = await world.signIn()
      const { key, secret } = await world.works(world.call('POST', '/auth/factors/totp', {}, { token }))
      return ({ call, server }) =>
        call('POST', '/auth/factors/totp/confirm', { key, code: codeAt(secret, server.clock.now()) }, { token })
    },
    used: 'invalid_grant',
    after: { ...ended, 'session ended': 'session_revoked', 'factor added': 'session_revoked' },
  },
  {
    name: 'the options of a passkey that a session sets up',
    async give({ server, call, works, signIn }) {
      const token = await signIn()
      const options = await works(call('POST', '/auth/factors/passkey/options', {}, { token }))
      const credential = authenticatorOf(server).create(options)
      return () => call('POST', '/auth/factors/passkey', { credential }, { token })
    },
    used: 'invalid_grant',
    after: { ...ended, 'session ended': 'session_revoked', 'factor added': 'session_revoked' },
  },
  {
    name: 'a code to sign in',
    async give({ call, works, login, email, tenantId }) {
      const { code } = await works(call('POST', '/auth/captcha/email', { email, tenantId }))
      return () => login({ authType: 'email_captcha', email, code })
    },
    used: 'invalid_code',
    after: { ...closed, 'password changed': 'invalid_code', 'contact moved': 'invalid_code' },
  },
  {
    name: 'a code for a new password',
    async give({ call, works, email: recipient, tenantId }) {
      const { code } = await works(call('POST', '/auth/password/forgot', { recipient, tenantId }))
      return ({ server }) => {
        server.clock.advance(1)
        return call('POST', '/auth/password/reset', { recipient, tenantId, code, newPassword })
      }
    },
    used: 'invalid_code',
    after: { ...closed, 'password changed': 'invalid_code', 'contact moved': 'invalid_code' },
  },
  {
    name: 'the code of an invitation',
    async give({ call, works, mailedCode, server, user, admin, email: recipient, tenantId }) {
      await works(call('DELETE', `/system/user/${user.id}`, undefined, { token: admin }))
      const json = { username: 'alice', email: recipient, tenantId }
      const code = await mailedCode(async () => {
        user.id = (await works(call('POST', '/system/user', json, { token: admin }))).id
      })
      return () => {
        server.clock.advance(1)
        return call('POST', '/auth/password/reset', { recipient, tenantId, code, newPassword })
      }
    },
    used: 'invalid_code',
    after: { ...closed, 'password changed': 'invalid_code', 'contact moved': 'invalid_code' },
  },
  {
    name: 'a code for a new contact',
    async give({ call, works, signIn, tenantId }) {
      const token = await signIn()
      const recipient = `next@tenant-${tenantId}.example`
      const { code } = await works(call('POST', '/auth/profile/code', { recipient }, { token }))
      return async () => {
        const answer = await call('PATCH', '/auth/profile', { email: recipient, emailCode: code }, { token })
        // So that a second use would change something again.
        if (answer.status === 200) await works(call('PATCH', '/auth/profile', { email: null }, { token }))
        return answer
      }
    },
    used: 'invalid_code',
    after: { ...ended, 'session ended': 'session_revoked', 'factor added': 'session_revoked' },
  },
  {
    name: 'a code to register',
    async give({ call, works, tenantId }) {
      const recipient = `carol@tenant-${tenantId}.example`
      const { code } = await works(call('POST', '/auth/register/code', { recipient, tenantId }))
      let count = 0
      return () => {
        const username = `carol-${++count}`
        return call('POST', '/auth/register', { username, password: newPassword, email: recipient, code, tenantId })
      }
    },
    used: 'invalid_code',
    after: { 'tenant disabled': 'tenant_disabled' },
  },
  {
    name: 'the ticket of a platform to sign in',
    async give(world) {
      await linkIdentity(world)
      const socialTicket = await world.federation.ticketOf(world.email, 'corporate', { tenantId: world.tenantId })
      return ({ login }) => login({ authType: 'social', socialTicket })
    },
    used: 'invalid_grant',
    after: { ...closed, 'identity unlinked': 'invalid_grant' },
  },
  {
    name: 'the state of a sign-in at a platform',
    async give(world) {
      await linkIdentity(world)
      const { tenantId, federation, login, email } = world
      const { code, state } = await federation.visit(email, 'corporate', { query: { tenantId } })
      return () => login({ authType: 'oauth2', authCode: code, state })
    },
    used: 'invalid_grant',
    after: { ...closed, 'identity unlinked': 'invalid_grant' },
  },
  {
    name: 'the ticket of a platform to link',
    async give({ federation, call, signIn, tenantId, email }) {
      const token = await signIn()
      const socialTicket = await federation.ticketOf(email, 'corporate', { tenantId, token })
      return () => call('POST', '/social/bind', { socialTicket }, { token })
    },
    used: 'invalid_grant',
    after: { ...ended, 'session ended': 'session_revoked', 'factor added': 'session_revoked' },
  },
  {
    name: 'the ticket of a download',
    async give({ call, works, signIn }) {
      const token = await signIn()
      const { ticket } = await works(call('POST', '/system/user/export/ticket', {}, { token }))
      return () => call('GET', `/system/user/export?ticket=${ticket}`)
    },
    used: 'invalid_grant',
    after: { ...ended, 'session ended': 'session_revoked', 'permissions taken': 'permission_denied' },
  },
  {
    name: 'a page cookie',
    async give({ server, works, tenantId }) {
      const browser = createPageBrowser(server)
      const json = { username: 'alice', password: userPassword, tenantId, cookie: true }
      const { accessToken } = await works(browser.post('/auth/login', { json }))
      return (world) => {
        world.token = accessToken
        return browser.post('/auth/refreshToken')
      }
    },
    after: { ...ended, 'factor added': 'session_revoked' },
  },
  {
    name: 'a trusted browser',
    async give({ enrol, byPassword, login, nextCode }) {
      await enrol()
      const { ticket } = (await byPassword()).body.data
      const cookie = cookiesOf(await login({ authType: 'totp', ticket, code: nextCode(), trustDevice: true }))
      return ({ login }) => {
        // With either password: the second step comes after it.
        const by = (password: string) => login({ username: 'alice', password }, { headers: { cookie } })
        return by(userPassword).then((answer) =>
          answer.body.data?.reason === 'invalid_credentials' ? by('another long phrase') : answer,
        )
      }
    },
    after: {
      'password changed': 'second_factor_required',
      'factor added': 'second_factor_required',
      'account disabled': 'second_factor_required',
    },
  },
  {
    name: 'a captcha',
    async give({ call, works, login, tenantId }) {
      const { code, codeKey } = await works(call('GET', `/auth/captcha?tenantId=${tenantId}`))
      return () => login({ authType: 'password_captcha', username: 'alice', password: userPassword, code, codeKey })
    },
    used: 'invalid_code',
    after: { ...closed, 'password changed': 'invalid_credentials' },
  },
]

/** The same where every account must have a second factor. */
export const setupSettings = required

const byPasswordTicket = async ({ byPassword }: World): Promise<string> => (await byPassword()).body.data.ticket

export const setupRows: Row[] = [
  {
    name: 'the ticket to set a first factor up',
    give: async (world) => setUp(world, await byPasswordTicket(world)),
    used: 'invalid_grant',
    after: { ...closed, 'password changed': 'invalid_grant', 'factor added': 'invalid_grant' },
  },
  {
    name: 'the ticket to set a first factor up, after a code by mail',
    async give(world) {
      const { call, works, login, email, tenantId } = world
      const { code } = await works(call('POST', '/auth/captcha/email', { email, tenantId }))
      return setUp(world, (await login({ authType: 'email_captcha', email, code })).body.data.ticket)
    },
    used: 'invalid_grant',
    after: {
      ...closed,
      'password changed': 'invalid_grant',
      'factor added': 'invalid_grant',
      'contact moved': 'invalid_grant',
    },
  },
  {
    name: 'the code to a contact that a set-up asks for',
    async give(world) {
      const { call, works, email } = world
      await verifyContact(world, email)
      const ticket = await byPasswordTicket(world)
      const { code: contactCode } = await works(call('POST', '/auth/factors/setup-code', { ticket }))
      const use = await setUp(world, ticket, { contactCode })
      return async (world) => {
        await verifyContact(world, (await world.server.app.db.users.find(world.user.id))?.email ?? email)
        return use(world)
      }
    },
    used: 'invalid_grant',
    after: { ...closed, 'password changed': 'invalid_grant', 'contact moved': 'invalid_code' },
  },
  {
    name: 'the proof of a contact in a set-up',
    async give(world) {
      const { call, works, email } = world
      await verifyContact(world, email)
      const ticket = await byPasswordTicket(world)
      const { code: contactCode } = await works(call('POST', '/auth/factors/setup-code', { ticket }))
      await works(call('POST', '/auth/factors/totp', { ticket, contactCode }))
      const use = await setUp(world, ticket)
      return async (world) => {
        await verifyContact(world, (await world.server.app.db.users.find(world.user.id))?.email ?? email)
        return use(world)
      }
    },
    used: 'invalid_grant',
    after: { ...closed, 'password changed': 'invalid_grant', 'contact moved': 'contact_code_required' },
  },
]
