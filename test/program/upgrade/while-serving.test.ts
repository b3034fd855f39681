import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { runCommand } from '../../helpers/processes/command.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { parallel } from '../../helpers/values/compare.js'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { adminPassword, userPassword } from '../../helpers/service/passwords.js'
import { copyData, prepareData } from '../../helpers/service/prepared-data.js'
import { eventually, startProcess } from '../../helpers/processes/process.js'
import { programs } from '../../helpers/processes/project.js'
import { createSteadyLoad } from '../../helpers/load/steady-load.js'

const next = '9999-nicknames'
/** Adds a column to a table that every request reads, fills it for all users, and indexes it. */
const migration = `
  async up(db) {
    await db.schema.alterTable('users').addColumn('nickname', 'text').execute()
    await db.updateTable('users').set((columns) => ({ nickname: columns.ref('real_name') })).execute()
    await db.schema.createIndex('users_by_nickname').on('users').column('nickname').execute()
  }`

/** The next version of the service: this one with one more migration. Returns the path of its program. */
const buildNext = (t: Test): string => {
  const directory = mkdtempSync(join(programs, '..', 'build.next-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  cpSync(programs, directory, { recursive: true, filter: (path) => !path.startsWith(join(programs, 'test')) })
  const file = join(directory, 'db/migrations/index.js')
  const text = readFileSync(file, 'utf8')
  const changed = text.replace(/\}\);(?=\s*\/\/# sourceMappingURL)/, `'${next}': {${migration} },\n});`)
  if (changed === text) throw new Error('the list of migrations has another form')
  writeFileSync(file, changed)
  return join(directory, 'server.js')
}

test('the next version migrates while this one serves: nothing fails, before and after', async (t) => {
  // A database of its own: others would be given one that the next version has migrated.
  const [source, directory] = [emptyDirectory(t), emptyDirectory(t)]
  await prepareData(t, source, {})
  await copyData(t, source, directory, {})
  await insertManyUsers(directory, 5000)
  const old = await startProcess(t, { directory })
  const { accessToken: token } = expectSuccess(t, await old.signIn('admin', adminPassword))
  const alice = { username: 'alice', realName: 'Alice', password: userPassword, forcePasswordChange: false }
  expectSuccess(t, await old.call('POST', '/system/user', { token, json: alice }))

  const load = createSteadyLoad(old, token)
  const more = (count: number) => {
    const goal = load.answers.length + count
    return eventually('more answers', () => (load.answers.length >= goal ? true : undefined))
  }
  await more(20)
  const program = buildNext(t)
  const before = load.answers.length
  const both = await parallel(2, () => startProcess(t, { directory }, [program]))
  t.ok(load.answers.length > before, 'this version has answered meanwhile')
  await more(100)
  await load.stop()
  for (const { what, answer } of load.answers) if (answer.status !== 200) t.fail(`${what}: ${answer.text}`)
  t.same(new Set(load.answers.map(({ what }) => what)), new Set(['token', 'list', 'sign-in', 'add']))

  const migrated = both.flatMap(({ logLines }) => logLines()).filter(({ migrations }) => migrations !== undefined)
  t.same(
    migrated.map(({ migrations }) => migrations as unknown),
    [[next]],
    'one of two has migrated',
  )
  const { all, close } = await connect(directory)
  const filled = await all<{ count: number }>('select count(*) as count from users where nickname = real_name')
  t.ok((filled[0]?.count ?? 0) >= 5000)
  await close()

  const [first, second] = both
  if (!first || !second) throw new Error('two processes were started')
  const bob = { ...alice, username: 'bob' }
  const { id } = expectSuccess(t, await first.call('POST', '/system/user', { token, json: bob }))
  expectSuccess(t, await old.call('PATCH', `/system/user/${id}`, { token, json: { realName: 'Bobby' } }))
  for (const { call } of [old, first, second]) {
    const { records } = expectSuccess(t, await call('GET', '/system/user/page?username=bob', { token }))
    t.match(records, [{ username: 'bob', realName: 'Bobby' }])
  }
  const { accessToken: bobToken } = expectSuccess(t, await second.signIn('bob', userPassword))
  expectSuccess(t, await old.call('GET', '/auth/userInfo', { token: bobToken }))
  expectSuccess(t, await old.call('POST', `/system/user/${id}/disable`, { token }))
  expectProblem(t, await first.call('GET', '/auth/userInfo', { token: bobToken }), 'session_revoked')
  expectProblem(t, await second.call('GET', '/auth/userInfo', { token: bobToken }), 'session_revoked')

  t.equal((await old.stop()).code, 0)
  expectSuccess(t, await first.call('GET', '/auth/userInfo', { token }))
  const { code, stderr } = await runCommand(t, ['start'], { directory, environment: { PORT: '0' } })
  t.equal(code, 1, 'this version does not start again')
  t.match(stderr, new RegExp(`^[^\\n]*${next}[^\\n]*\\n$`), 'and says why in one line')
})
