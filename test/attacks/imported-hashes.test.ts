import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { test } from 'tap'
import { createHashThreads } from '../../plugins/identity/passwords/hash-threads.js'
import { createHashing } from '../../plugins/identity/passwords/hashing.js'
import { connect } from '../helpers/databases/database.js'
import { createCli } from '../helpers/processes/cli.js'
import { runCommand } from '../helpers/processes/command.js'
import { parallel, tally } from '../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { residentMemory } from '../helpers/processes/resident-memory.js'
import { startServer } from '../helpers/service/server.js'
import { importFile } from '../helpers/service/upload.js'
import { signInAs } from '../helpers/service/users.js'
import { longestWait, waitingTime } from '../helpers/load/waiting.js'

const password = 'plain green teapot'
/** A host may take the machine for a while; nobody is that unlucky every time. */
const tries = 6
const salt = 'c29tZXNhbHRzb21lc2FsdA'
const digest = '8wVqQoWCLiAo7kRLuw3sDAqQ1xIuaAXSXW0d5LhS6vY'
const argon2Hash = (m: number, t: number, p: number) => `$argon2id$v=19$m=${m},t=${t},p=${p}$${salt}$${digest}`
const bcryptHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234`

/** With the default cost, 19 MiB in two passes. */
const rows: [sentence: string, hash: string, isTaken: boolean][] = [
  ['the default of PHP', argon2Hash(65_536, 4, 1), true],
  ['the default of Python', argon2Hash(65_536, 3, 4), true],
  ['the default of Node.js', argon2Hash(65_536, 3, 4), true],
  ['exactly eight times the cost', argon2Hash(155_648, 2, 1), true],
  ['a little more', argon2Hash(155_649, 2, 1), false],
  ['a gibibyte in a hundred passes', argon2Hash(1_048_576, 100, 1), false],
  ['little memory in very many passes', argon2Hash(64, 999_999_999, 1), false],
  ['five threads', argon2Hash(19_456, 2, 5), false],
  ['bcrypt of cost 13', bcryptHash(13), true],
  ['bcrypt of cost 14', bcryptHash(14), false],
]

test('imported hashes cost at most eight times what new ones cost, in files and at the command line', async (t) => {
  const server = await startServer(t, { hasRealHashes: true })
  const token = await signInAs(server, 'importer', { permissions: ['system:user:add'] })
  const cli = await createCli(t)
  for (const [index, [sentence, hash, isTaken]] of rows.entries()) {
    const csv = `username,passwordHash\nuser${index},"${hash}"\n`
    const report = expectSuccess(t, await importFile(server, token, csv))
    t.equal(report.added, isTaken ? 1 : 0, sentence)
    if (!isTaken) t.match(report.errors, [{ field: 'passwordHash' }], sentence)
    const file = join(cli.directory, `${index}.csv`)
    writeFileSync(file, csv)
    const { code } = await cli.run(`user import ${file}`)
    t.equal(code === 0, isTaken, `${sentence} at the command line`)
  }
})

test('a stored hash that is too dear is never computed: the answer is that of a wrong password', async (t) => {
  const server = await startServer(t, { hasRealHashes: true, settings: { captcha: { mode: 'never' } } })
  for (const [index, passwordHash] of [argon2Hash(1_048_576, 100, 1), bcryptHash(31)].entries()) {
    const username = `slow${index}`
    await server.app.db.users.add(
      { tenantId: 1, username, realName: username, userType: 2, passwordHash, forcePasswordChange: false },
      server.clock.now(),
    )
  }
  await server.app.dummyHashes.count()
  const signIn = (username: string) => server.call('POST', '/auth/login', { json: { username, password } })
  const timeOf = async (username: string) => {
    const begin = performance.now()
    expectProblem(t, await signIn(username), 'invalid_credentials')
    return performance.now() - begin
  }
  await timeOf('admin')
  const memory = residentMemory(process.pid)
  // To compute them takes minutes. That the answers take as long as others is measured in test/attacks/timing.long.test.ts.
  for (const username of ['slow0', 'slow1', 'nobody']) {
    const time = Math.min(await timeOf(username), await timeOf(username), await timeOf(username))
    t.ok(time < 1000, `${username}: ${time.toFixed(0)} ms`)
  }
  t.ok(residentMemory(process.pid) - memory < 128 * 2 ** 20)
})

test('sign-ins with the dearest hashes of one tenant leave the sign-ins of others alone', async (t) => {
  const server = await startServer(t, {
    hasRealHashes: true,
    settings: { captcha: { mode: 'never' }, clients: { pc: { maxSessions: 50 } } },
  })
  const other = await server.operator.addTenant('Other')
  await server.addUser('alice', { password })
  const passwordHash = argon2Hash(155_648, 2, 1)
  for (let index = 0; index < 30; index++) {
    const username = `slow${index}`
    await server.app.db.users.add(
      { tenantId: other.id, username, realName: username, userType: 2, passwordHash, forcePasswordChange: false },
      server.clock.now(),
    )
  }
  const signIn = (json: object) => server.call('POST', '/auth/login', { json: { password, ...json } })
  await signIn({ username: 'alice' })
  const attack = parallel(30, (index) => signIn({ username: `slow${index}`, tenantId: other.id }))
  const mine = []
  for (let count = 0; count < 10; count++) mine.push(await signIn({ username: 'alice' }))
  t.same(tally(mine), { 200: 10 }, 'each of the others is answered')
  const stillWaiting = server.app.passwords.waiting()
  t.ok(stillWaiting > 0, 'before the dear ones are done')
  for (const { status } of await attack) t.ok(status === 400 || status === 503)
})

test('others hardly wait for an answer while dear hashes are computed', async (t) => {
  const server = await startServer(t, { hasRealHashes: true, settings: { captcha: { mode: 'never' } } })
  const { accessToken: token } = await server.signIn()
  const passwordHash = argon2Hash(155_648, 2, 1)
  await server.app.db.users.add(
    { tenantId: 1, username: 'slow', realName: 'slow', userType: 2, passwordHash, forcePasswordChange: false },
    server.clock.now(),
  )
  const idle = await waitingTime(server, token)
  let isRunning = true
  const attack = parallel(8, async () => {
    while (isRunning) await server.call('POST', '/auth/login', { json: { username: 'slow', password } })
  })
  const wait = await waitingTime(server, token)
  isRunning = false
  await attack
  t.ok(wait <= longestWait(idle), `others wait ${wait.toFixed(1)} ms, and ${idle.toFixed(1)} ms without`)
})

test('slow hashes run one at a time, and others go on between them', async (t) => {
  const threads = createHashThreads({ queueLength: 1000, maxWait: 60_000, refusal: () => new Error('refused') })
  t.teardown(() => threads.close())
  const [cheap, dear] = [await bcrypt(password, 4), await argon2(password, { memoryCost: 65_536, timeCost: 4 })]
  const ended: { name: string; time: number }[] = []
  const run = async (name: string, isSlow: boolean) => {
    const requester = { group: 'stranger', fairnessKey: name, isSlow } as const
    if (isSlow) await threads.run(requester, 'argon2', dear, password)
    else await threads.run(requester, 'bcrypt', password, cheap)
    ended.push({ name, time: performance.now() })
  }
  await Promise.all([run('other', false), run('slow', true)])
  /** Runs six slow hashes among others. Returns how long one takes alone, and the times between their ends. Milliseconds. */
  const measure = async () => {
    const begin = performance.now()
    await run('slow', true)
    const alone = performance.now() - begin
    ended.length = 0
    const slow = Array.from({ length: 6 }, (_, index) => run(`slow${index}`, true))
    // Many, so that the other threads have work while a slow hash is computed.
    const others = Array.from({ length: 900 }, () => run('other', false))
    await Promise.all([...others, ...slow])
    const names = ended.map(({ name }) => name)
    t.ok(names.indexOf('other') < names.indexOf('slow1'), 'others go on between two slow ones')
    const times = ended.filter(({ name }) => name !== 'other').map(({ time }) => time)
    return { alone, gaps: times.slice(1).map((time, index) => time - (times[index] ?? 0)) }
  }
  // Other programs may take the cores while one is measured: two at a time would end close together in each try.
  const told: string[] = []
  let isOneAtATime = false
  for (let count = 0; count < tries && !isOneAtATime; count++) {
    const { alone, gaps } = await measure()
    isOneAtATime = Math.min(...gaps) > alone / 3
    told.push(`${gaps.map(Math.round).join(' ')} ms apart; one alone takes ${Math.round(alone)} ms`)
  }
  t.ok(isOneAtATime, told.join('\n'))
})

test('the kinds of hash are told apart by what new ones cost', async (t) => {
  const dear = createHashing({ memoryKiB: 65_536, passes: 4, queueLength: 10, minLength: 8, initialDays: 30 })
  t.teardown(() => dear.close())
  t.ok(dear.isUsable(argon2Hash(262_144, 8, 4)), 'dearer hashes are taken where new ones are dear')
  t.notOk(dear.isUsable(argon2Hash(1_048_576, 100, 1)))
})

test('doctor and user show tell that a hash is too dear, and doctor which names read as contacts of others', async (t) => {
  const server = await startServer(t)
  const json = async (line: string) => {
    const { stdout } = await runCommand(t, [...line.split(' '), '--json'], { directory: server.directory })
    return JSON.parse(stdout)
  }
  const add = (username: string, more: object) =>
    server.app.db.users.add(
      {
        tenantId: 1,
        username,
        realName: username,
        userType: 2,
        passwordHash: null,
        forcePasswordChange: false,
        ...more,
      },
      server.clock.now(),
    )
  await add('slow', { passwordHash: argon2Hash(1_048_576, 100, 1) })
  await add('victim@example.com', {})
  await add('own@example.com', { email: 'own@example.com' })
  await add('13800138000', {})
  await add('20231234567', {})
  await add('ann', { email: 'ann@xn--mnchen-3ya.example' })
  const { id } = await add('other', { email: 'other@example.com' })
  // As the migration leaves an address that another user has in another spelling.
  const connection = await connect(server.directory)
  await connection.run(
    'update users set email = ?, email_key = ? where id = ?',
    ...['ann@münchen.example', 'ann@münchen.example', id],
  )
  await connection.close()
  const findings = (await json('doctor')) as { findings: { check: string; level: string; message: string }[] }
  const told = findings.findings.filter(({ check }) => check === 'accounts').map(({ message }) => message)
  t.same(told, [
    'user names that look like an e-mail address or a mobile number of somebody else: 2 (victim@example.com (tenant 1), 13800138000 (tenant 1))',
    'e-mail addresses that another user of the tenant has in another spelling: 1 (other (tenant 1))',
    'password hashes that cost too much to be computed: 1 (slow (tenant 1))',
  ])
  t.match(await json('user show slow'), { passwordResetNeeded: true })
  t.match(await json('user show admin'), { passwordResetNeeded: false })
})
