import { join } from 'node:path'
import { test } from 'tap'
import { emptyDirectory, startChild } from '../../helpers/processes/child.js'
import { createPostgres, isPostgresThere, runSql, skipped } from '../../helpers/databases/postgres.js'
import type { Figure } from '../../../bench/part.js'

const skip = (await isPostgresThere()) ? false : skipped
const left = `select datname from pg_database where datname like 'rollcall_bench_%'`

test(
  'with --database the users are in a new database of that server, which is dropped at the end',
  { skip },
  async (t) => {
    const url = await createPostgres(t)
    const before = await runSql(url, left)
    const directory = emptyDirectory(t)
    const args = ['userInfo', '--database', url, '--users', 'small', '--seconds', '0.1', '--json']
    const results = ['--results', join(directory, 'results')]
    const { code, stdout, stderr } = await startChild(t, 'bench/main.js', [...args, ...results], { directory }).ended
    t.equal(code, 0, stderr)
    const report = JSON.parse(stdout) as { database: string; sections: { part: string; figures: Figure[] }[] }
    t.equal(report.database, 'PostgreSQL')
    const figure = report.sections.find(({ part }) => part === 'userInfo')?.figures[0]
    t.ok((figure?.values['perSecond'] ?? 0) > 0)
    t.equal(figure?.target?.atLeast, 0.4)
    t.same(
      await runSql(url, `select to_regclass('users') as users`),
      [{ users: null }],
      'the given database is not used',
    )
    t.same(await runSql(url, left), before)
  },
)
