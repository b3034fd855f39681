import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createCli, expectRefusal } from '../../helpers/processes/cli.js'

test('a database without anybody is not given an administrator whose password nobody is told', async (t) => {
  const { directory, run, done } = await createCli(t)
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `rollcall.db${suffix}`), { force: true })
  expectRefusal(t, await run('tenant list'), 1, /There is no database at .*rollcall init/)
  const weak = { environment: { ROLLCALL_ADMIN_PASSWORD: 'a' } }
  expectRefusal(t, await run('init', weak), 1, /ROLLCALL_ADMIN_PASSWORD \(environment\) must have at least 8/)
  t.match(await done('init'), /Sign in as admin with the password\n\n {4}\S{20}\n/)
  t.equal(await done('tenant list'), '1\tDefault\n')
})

test('a tenant is not named by digits only, which would mean an id', async (t) => {
  const { run } = await createCli(t)
  expectRefusal(t, await run('tenant add 2'), 1, /name "2" must not be digits only/)
})
