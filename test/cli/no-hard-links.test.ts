import fs, { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test, type Test } from 'tap'
import { moveToNewName } from '../../lib/new-name.js'
import { emptyDirectory, startChild } from '../helpers/processes/child.js'
import { onSqliteOnly } from '../helpers/databases/database.js'
import { temporary } from '../helpers/processes/package.js'
import { adminPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'
import { programs } from '../helpers/processes/project.js'

const preload = pathToFileURL(resolve(programs, 'test/helpers/processes/no-hard-links.js')).href
const environment = { NODE_OPTIONS: `--import=${preload}`, ROLLCALL_ADMIN_PASSWORD: adminPassword }

const run = (t: Test, directory: string, args: string[], more: Record<string, string> = {}) =>
  startChild(t, 'cli/main.js', args, { directory, environment: { ...environment, ...more } }).ended

test('without hard links the first start, backup and restore work as everywhere', onSqliteOnly, async (t) => {
  const directory = emptyDirectory(t)
  const service = await startProcess(t, { directory, environment })
  t.equal((await service.signIn('admin', adminPassword)).status, 200)
  await service.stop()
  t.equal(statSync(join(directory, 'secret')).mode & 0o777, 0o600)
  const kept = ['config.json', 'secret'].map((name) => readFileSync(join(directory, name), 'utf8'))
  t.match(await run(t, directory, ['init']), { code: 0, stdout: /^Nothing to do/ })
  t.same(
    kept,
    ['config.json', 'secret'].map((name) => readFileSync(join(directory, name), 'utf8')),
  )

  const folder = temporary(t)
  const file = join(folder, 'copy.db')
  t.match(await run(t, directory, ['backup', file]), { code: 0, stderr: '' })
  t.match(await run(t, directory, ['backup', file]), { code: 1, stderr: /exists already/ })
  t.match(await run(t, directory, ['backup', file, '--force']), { code: 0 })
  t.same(readdirSync(folder), ['copy.db'], 'nothing else is left')
  t.match(await run(t, directory, ['tenant', 'add', 'Later']), { code: 0 })
  t.match(await run(t, directory, ['restore', file]), { code: 0, stderr: '' })
  t.notMatch((await run(t, directory, ['tenant', 'list'])).stdout, 'Later')
  const [previous = ''] = readdirSync(directory).filter((name) => /^rollcall\.db\.before-[^.]+\.\d+Z$/.test(name))
  const environmentOf = { DATABASE_URL: `sqlite:${previous}` }
  t.match((await run(t, directory, ['tenant', 'list'], environmentOf)).stdout, 'Later', 'the database from before')
  t.same(
    readdirSync(directory).filter((name) => /draft|part|restore/.test(name)),
    [],
    'no draft is left',
  )
})

test('where files cannot be renamed either, one line says so, and nothing has changed', onSqliteOnly, async (t) => {
  const cannot = { CAN_RENAME: 'no' }
  const first = emptyDirectory(t)
  const refused = await run(t, first, ['init'], cannot)
  t.equal(refused.code, 1)
  t.match(refused.stderr, /DATA_DIR \([^\n]+\): cannot be written: EPERM[^\n]+\n/)
  t.same(readdirSync(first), [], 'nothing is left in the way of the next try')

  const directory = emptyDirectory(t)
  t.match(await run(t, directory, ['init']), { code: 0 })
  const file = join(temporary(t), 'copy.db')
  const line = /^EPERM: operation not permitted, rename [^\n]+\n$/
  t.match(await run(t, directory, ['backup', file], cannot), { code: 1, stdout: '', stderr: line })
  t.notOk(existsSync(file))
  t.match(await run(t, directory, ['backup', file]), { code: 0 })
  t.match(await run(t, directory, ['restore', file], cannot), { code: 1, stdout: '', stderr: line })
  t.match(await run(t, directory, ['tenant', 'list']), { code: 0, stdout: /Default/ }, 'the database is in its place')
})

for (const hasLinks of [true, false]) {
  test(`a file that somebody else has created meanwhile stays, ${hasLinks ? 'with' : 'without'} hard links`, (t) => {
    const folder = temporary(t)
    const [draft, taken] = [join(folder, 'draft'), join(folder, 'taken')]
    writeFileSync(draft, 'one')
    writeFileSync(taken, 'of somebody else')
    const { linkSync } = fs
    t.teardown(() => {
      fs.linkSync = linkSync
      syncBuiltinESMExports()
    })
    const refuse = () => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
    }
    if (!hasLinks) fs.linkSync = refuse
    syncBuiltinESMExports()
    t.throws(() => moveToNewName(draft, taken), { code: 'EEXIST' })
    t.equal(readFileSync(taken, 'utf8'), 'of somebody else')
    t.end()
  })
}
