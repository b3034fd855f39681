import { test } from 'tap'
import type { Captcha } from '../../../schemas/login.js'
import { tally } from '../../helpers/values/compare.js'
import { connect } from '../../helpers/databases/database.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, userPassword } from '../../helpers/service/passwords.js'
import type { ServerProcess } from '../../helpers/processes/process.js'
import type { Answer } from '../../helpers/service/server.js'
import { startThree, type Three } from '../../helpers/processes/three-processes.js'

const info = '/auth/userInfo'
const refresh = '/auth/refreshToken'
const wrong = 'wrong horse battery'
const phone = '13800138000'

type TestOf = Parameters<typeof startThree>[0]
const tokensOf = (answers: Answer[]) =>
  answers.map(({ body }) => body.data?.accessToken as unknown).filter((token) => typeof token === 'string')

const addUser = ({ operator }: Three, username: string, more = {}) =>
  operator.addUser({ username, password: userPassword, forcePasswordChange: false, ...more })

const races: [name: string, run: (t: TestOf, three: Three) => Promise<void>][] = [
  [
    '51 refreshes of one token share one successor',
    async (t, { signIn, spread, everywhere }) => {
      const token = await signIn(0, 'admin')
      const answers = await spread(51, (server) => server.call('POST', refresh, { token }))
      t.strictSame(tally(answers), { 200: 51 })
      const [successor = '', ...others] = new Set(tokensOf(answers))
      t.strictSame(others, [])
      t.strictSame(tally(await everywhere((server) => server.call('GET', info, { token: successor }))), { 200: 3 })
    },
  ],
  [
    'refreshes that race with a sign-out never bring the session back',
    async (t, { signIn, spread, everywhere }) => {
      const token = await signIn(1, 'admin')
      const answers = await spread(51, (server, index) =>
        server.call('POST', index === 25 ? '/auth/logout' : refresh, { token }),
      )
      for (const value of new Set([token, ...tokensOf(answers)])) {
        const refused = await everywhere((server) => server.call('GET', info, { token: value }))
        t.strictSame(tally(refused), { session_revoked: 3 })
      }
    },
  ],
  [
    'of 51 sign-ins with one captcha one passes',
    async (t, { at, spread }) => {
      const { codeKey, code } = expectSuccess(t, await at(2).call<Captcha>('GET', '/auth/captcha'))
      const json = { authType: 'password_captcha', codeKey, code }
      const answers = await spread(51, (server) => server.signIn('admin', adminPassword, json))
      t.strictSame(tally(answers), { 200: 1, invalid_code: 50 })
    },
  ],
  [
    'of three sign-ins with one code of a text message one passes, and of 51 one at most: failures pause them all',
    async (t, three) => {
      const signInAtOnce = async (count: number, username: string, number: string) => {
        await addUser(three, username, { phone: number })
        const request = await three.at(0).call('POST', '/auth/captcha/sms', { json: { phone: number } })
        const { code } = expectSuccess(t, request)
        const json = { authType: 'phone_captcha', phone: number, code }
        return tally(await three.spread(count, (server) => server.call('POST', '/auth/login', { json })))
      }
      t.equal((await signInAtOnce(3, 'phoned', phone))['200'], 1)
      const { 200: passed = 0, ...refused } = await signInAtOnce(51, 'phoned-often', '13900139001')
      t.ok(passed <= 1, `${passed} passed`)
      // Which of the two depends on how many have looked the code up before the first one is checked.
      const { invalid_code: used = 0, too_many_attempts: paused = 0, ...others } = refused
      t.strictSame([passed + used + paused, others], [51, {}])
    },
  ],
  [
    'of twelve new passwords with one code one is set, and of twelve registrations one adds a user',
    async (t, three) => {
      const { id } = await addUser(three, 'forgetful', { phone: '13800138001' })
      const recipient = '13800138001'
      const reset = expectSuccess(t, await three.at(1).call('POST', '/auth/password/forgot', { json: { recipient } }))
      const resets = await three.spread(12, (server, index) =>
        server.call('POST', '/auth/password/reset', {
          json: { recipient, code: reset.code, newPassword: `a copper kettle number ${index}` },
        }),
      )
      t.equal(tally(resets)['200'], 1)
      const mine = { recipient: '13800138002' }
      const begun = expectSuccess(t, await three.at(2).call('POST', '/auth/register/code', { json: mine }))
      const registrations = await three.spread(12, (server, index) =>
        server.call('POST', '/auth/register', {
          json: { phone: mine.recipient, code: begun.code, username: `new-${index}`, password: userPassword },
        }),
      )
      t.equal(tally(registrations)['200'], 1)
      t.equal(await three.db.users.highestId(), id + 1)
    },
  ],
  [
    'of 51 wrong passwords five are told that they are wrong',
    async (t, three) => {
      await addUser(three, 'attacked')
      const answers = await three.spread(51, (server) => server.signIn('attacked', wrong))
      t.strictSame(tally(answers), { invalid_credentials: 5, too_many_attempts: 46 })
    },
  ],
  [
    'of twelve sign-ins as many get a session as are allowed',
    async (t, three) => {
      await addUser(three, 'limited')
      const answers = await three.spread(12, (server) =>
        server.signIn('limited', userPassword, { userClient: 'wechat' }),
      )
      t.strictSame(tally(answers), { 200: 3, session_limit_reached: 9 })
    },
  ],
  [
    'of nine changes of one password one wins, and its password works',
    async (t, three) => {
      await addUser(three, 'changing')
      const token = await three.signIn(0, 'changing')
      const passwords = Array.from({ length: 9 }, (_, index) => `a copper kettle number ${index}`)
      const answers = await three.spread(9, (server, index) =>
        server.call('POST', '/auth/changePassword', {
          token,
          json: { oldPassword: userPassword, newPassword: passwords[index] },
        }),
      )
      const winners = passwords.filter((_, index) => answers[index]?.status === 200)
      t.equal(winners.length, 1)
      await three.operator.unlock('changing')
      expectSuccess(t, await three.at(1).signIn('changing', winners[0] ?? ''))
    },
  ],
  [
    'of 51 equal names of roles and of tenants one is added, and of twelve equal users',
    async (t, { signIn, spread }) => {
      const token = await signIn(0, 'admin')
      const rows: [path: string, count: number, json: object][] = [
        ['/system/role', 51, { key: 'raced', name: 'Raced' }],
        ['/system/tenant', 51, { name: 'Raced' }],
        ['/system/user', 12, { username: 'raced', password: userPassword }],
      ]
      for (const [path, count, json] of rows) {
        const answers = await spread(count, (server) => server.call('POST', path, { token, json }))
        t.strictSame(tally(answers), { 200: 1, invalid_request: count - 1 }, path)
      }
    },
  ],
  [
    'of 51 changes of one state of a user one is made',
    async (t, three) => {
      const { id } = await addUser(three, 'edited')
      const token = await three.signIn(0, 'admin')
      const path = `/system/user/${id}`
      const { updateTime } = expectSuccess(t, await three.at(0).call('GET', path, { token }))
      const answers = await three.spread(51, (server, index) =>
        server.call('PATCH', path, {
          token,
          json: { remark: `by ${index}` },
          headers: { 'if-match': `"${updateTime}"` },
        }),
      )
      t.strictSame(tally(answers), { 200: 1, changed_meanwhile: 50 })
    },
  ],
  [
    'no token is refused while another signing key takes over',
    async (t, { keys, at, signIn, everywhere }) => {
      let token = await signIn(0, 'admin')
      const [next] = await keys.rotate(4000)
      /** Processes that sign with the new key. */
      const changed = new Set<number>()
      for (let round = 0; changed.size < 3; round++) {
        token = expectSuccess(t, await at(round).call('POST', refresh, { token })).accessToken as string
        const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
        if (header.kid === next?.kid) changed.add(round % 3)
        t.strictSame(tally(await everywhere((server) => server.call('GET', info, { token }))), { 200: 3 })
      }
    },
  ],
  [
    'administrators who disable each other leave one of them',
    async (t, three) => {
      const names = ['first', 'second', 'third']
      const ids: number[] = []
      for (const username of names) ids.push((await addUser(three, username, { userType: 0, roles: ['admin'] })).id)
      const tokens = await Promise.all(names.map((username, index) => three.signIn(index, username)))
      const disable = (server: ServerProcess, id: number | undefined, token = '') =>
        server.call('POST', `/system/user/${id}/disable`, { token })
      expectSuccess(t, await disable(three.at(0), 1, tokens[0]))
      const answers = await three.spread(51, (server, index) =>
        disable(server, ids[(index + 1) % 3], tokens[index % 3]),
      )
      const outcomes = tally(answers)
      t.ok(outcomes['200'])
      for (const outcome of Object.keys(outcomes)) t.match(outcome, /^(200|session_revoked|last_administrator)$/)
      const { all, close } = await connect(three.directory)
      const left = await all('select id from users where user_type = 0 and user_status = 1')
      await close()
      t.equal(left.length, 1)
    },
  ],
]

test('races at three processes', async (t) => {
  const three = await startThree(t, {
    captcha: { mode: 'never' },
    sms: { sender: 'log' },
    registration: { mode: 'open' },
    clients: { wechat: { maxSessions: 3, onLimit: 'reject' } },
  })
  for (const [name, run] of races) await t.test(name, (t) => run(t, three))
  const errors = three.processes.flatMap((server) => server.logLines().filter(({ level }) => level >= 50))
  t.strictSame(errors, [], 'nothing in the logs')
})
