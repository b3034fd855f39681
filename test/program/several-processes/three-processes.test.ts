import { Client } from 'pg'
import { test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { databaseUrlOf, isOnPostgres } from '../../helpers/databases/database.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { userPassword } from '../../helpers/service/passwords.js'
import type { ServerProcess } from '../../helpers/processes/process.js'
import type { Answer } from '../../helpers/service/server.js'
import { startThree } from '../../helpers/processes/three-processes.js'

const next = 'a copper kettle of tea'
const read = 'system:user:list'
const info = '/auth/userInfo'
const list = '/system/user/page'

/** What the rows below change: a user with a role in a tenant of its own, and two sessions of it. */
interface Subject {
  userId: number
  tenantId: number
  sid: string
  token: string
  otherToken: string
}

type Send = (method: string, path: string, json?: unknown) => Promise<Answer>
/** A request by an administrator, or by the user in another session. */
type Change = (admin: Send, own: Send, subject: Subject) => Promise<Answer>

/** What each process answers before and after a change at one of them. */
interface Outcome {
  path: string
  before: string
  after: string
}

const signedOut: Outcome = { path: info, before: '200', after: 'session_revoked' }
const takenAway: Outcome = { path: list, before: '200', after: 'permission_denied' }
const given: Outcome = { path: '/system/role/page', before: 'permission_denied', after: '200' }

const readerOf = (tenantId: number) => `/system/role/reader?tenantId=${tenantId}`
const rolesOf = (userId: number) => `/system/user/${userId}/roles`

const changes: [name: string, outcome: Outcome, change: Change][] = [
  ['a sign-out', signedOut, (_, own) => own('DELETE', '/auth/sessions')],
  ['a session that an administrator ends', signedOut, (admin, _, { sid }) => admin('DELETE', `/system/session/${sid}`)],
  ['a disabled user', signedOut, (admin, _, { userId }) => admin('POST', `/system/user/${userId}/disable`)],
  [
    'a deleted user',
    { ...signedOut, after: 'session_expired' },
    (admin, _, { userId }) => admin('DELETE', `/system/user/${userId}`),
  ],
  [
    'a changed password',
    signedOut,
    (_, own) => own('POST', '/auth/changePassword', { oldPassword: userPassword, newPassword: next }),
  ],
  [
    'a password that an administrator sets',
    signedOut,
    (admin, _, { userId }) => admin('POST', `/system/user/${userId}/password`, { password: next }),
  ],
  [
    'a disabled tenant',
    signedOut,
    (admin, _, { tenantId }) => admin('PATCH', `/system/tenant/${tenantId}`, { enabled: false }),
  ],
  ['a role that is taken', takenAway, (admin, _, { userId }) => admin('PUT', rolesOf(userId), { roleKeys: ['other'] })],
  [
    'a role that is given',
    given,
    (admin, _, { userId }) => admin('PUT', rolesOf(userId), { roleKeys: ['reader', 'other'] }),
  ],
  [
    'a permission that is taken',
    takenAway,
    (admin, _, { tenantId }) => admin('PATCH', readerOf(tenantId), { permissions: [] }),
  ],
  [
    'a permission that is given',
    given,
    (admin, _, { tenantId }) => admin('PATCH', readerOf(tenantId), { permissions: [read, 'system:role:list'] }),
  ],
  ['a deleted role', takenAway, (admin, _, { tenantId }) => admin('DELETE', readerOf(tenantId))],
]

test('what one of three processes has answered counts in the first answer of the others', async (t) => {
  const { operator, directory, at, signIn, everywhere } = await startThree(t)
  const admin = await signIn(0, 'admin')
  const sendAs =
    (server: ServerProcess, token: string): Send =>
    (method, path, json) =>
      server.call(method, path, json === undefined ? { token } : { token, json })

  /** With the number of a row, which is a part of all names. */
  const prepare = async (row: number): Promise<Subject> => {
    const { id: tenantId } = await operator.addTenant(`Tenant ${row}.`)
    await operator.addRole('reader', 'Reader', [read], tenantId)
    await operator.addRole('other', 'Other', ['system:role:list'], tenantId)
    const account = { username: `user-${row}`, password: userPassword, forcePasswordChange: false, tenantId }
    const { id: userId } = await operator.addUser({ ...account, roles: ['reader'] })
    const token = await signIn(row, account.username, { tenantId })
    const otherToken = await signIn(row + 1, account.username, { tenantId, userClient: 'app' })
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }
    return { userId, tenantId, token, otherToken, sid: claims.sid }
  }

  for (const [row, [name, { path, before, after }, change]] of changes.entries()) {
    await t.test(name, async (t) => {
      const subject = await prepare(row)
      const ask = () => everywhere((server) => server.call('GET', path, { token: subject.token }))
      // Twice, so that each process remembers the session.
      t.strictSame(tally([...(await ask()), ...(await ask())]), { [before]: 6 })
      const server = at(row)
      expectSuccess(t, await change(sendAs(server, admin), sendAs(server, subject.otherToken), subject))
      t.strictSame(tally(await ask()), { [after]: 3 })
    })
  }

  await t.test('a user whom a fourth process bans', async (t) => {
    const { userId, token } = await prepare(changes.length + 2)
    const ask = () => everywhere((server) => server.call('GET', info, { token }))
    t.strictSame(tally([...(await ask()), ...(await ask())]), { '200': 6 })
    await operator.ban(userId)
    t.strictSame(tally(await ask()), { session_revoked: 3 })
  })

  await t.test('a role that is given, taken or deleted, in pages of those who have it', async (t) => {
    const { userId, tenantId } = await prepare(changes.length + 3)
    const query = `role=other&tenantId=${tenantId}`
    const expectFound = async (total: number, why: string) => {
      // Twice, so that each process remembers the page.
      for (let times = 0; times < 2; times++) {
        const answers = await everywhere((server) => server.call('GET', `${list}?${query}`, { token: admin }))
        for (const answer of answers) {
          const { records } = expectSuccess(t, answer)
          t.strictSame([answer.body.data.total, records.length], [total, total], why)
        }
      }
    }
    await expectFound(0, 'at first')
    const set = async (row: number, roleKeys: string[]) =>
      expectSuccess(t, await sendAs(at(row), admin)('PUT', rolesOf(userId), { roleKeys }))
    await set(0, ['reader', 'other'])
    await expectFound(1, 'given')
    await set(1, ['reader'])
    await expectFound(0, 'taken')
    await operator.assign('other', `user-${changes.length + 3}`, tenantId)
    await expectFound(1, 'given by a fourth process')
    await sendAs(at(2), admin)('DELETE', `/system/role/other?tenantId=${tenantId}`)
    await expectFound(0, 'deleted')
  })

  await t.test('changed values, time after time and under load', async (t) => {
    const { token, tenantId } = await prepare(changes.length)
    let isOver = false
    const statuses = new Set<number>()
    const load = parallel(3, async (index) => {
      while (!isOver) statuses.add((await at(index).call('GET', info, { token: admin })).status)
    })
    for (let round = 0; round < 12; round++) {
      const realName = `Name ${round}`
      const permissions = round % 2 === 0 ? [] : [read]
      const own = sendAs(at(round), token)
      expectSuccess(t, await own('PATCH', '/auth/profile', { realName }))
      for (const answer of await everywhere((server) => server.call('GET', info, { token }))) {
        t.equal(expectSuccess(t, answer).realName, realName)
      }
      const change = sendAs(at(round + 1), admin)
      expectSuccess(t, await change('PATCH', readerOf(tenantId), { permissions }))
      expectSuccess(t, await change('PATCH', `/system/tenant/${tenantId}`, { name: `Renamed ${round}.` }))
      for (const answer of await everywhere((server) => server.call('GET', info, { token }))) {
        t.match(expectSuccess(t, answer), { permissions, tenantName: `Renamed ${round}.` })
      }
    }
    isOver = true
    await load
    t.strictSame([...statuses], [200])
  })

  if (!isOnPostgres) return

  await t.test(
    'while nobody can tell what has changed, tokens are answered 503, and all is read anew after it',
    async (t) => {
      const { token, userId } = await prepare(changes.length + 1)
      const ask = () => everywhere((server) => server.call('GET', info, { token }))
      t.strictSame(tally(await ask()), { 200: 3 })
      const holder = new Client({ connectionString: databaseUrlOf(directory) })
      await holder.connect()
      t.teardown(() => holder.end())
      // Without the triggers, so that only a new read can show it.
      await holder.query(`begin; lock table user_changes in access exclusive mode; set local session_replication_role = replica;
        update users set user_status = 0 where id = ${userId}`)
      const refused = await ask()
      t.strictSame(tally(refused), { unavailable: 3 })
      for (const { headers } of refused) t.match(headers.get('retry-after'), /^\d+$/)
      await holder.query('commit')
      t.strictSame(tally(await ask()), { session_revoked: 3 })
    },
  )
})
