import { join } from 'node:path'
import { test } from 'tap'
import { createCli, expectRefusal } from '../../helpers/processes/cli.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, userPassword } from '../../helpers/service/passwords.js'
import { startProcess } from '../../helpers/processes/process.js'
import { importFile } from '../../helpers/service/upload.js'
import { startChild } from '../../helpers/processes/child.js'

const told = (TMPDIR: string) =>
  `Temporary files cannot be written in ${TMPDIR} (ENOENT), and users cannot be imported. ` +
  'Set TMPDIR to a folder with some space that this user can write to.'

test('without a folder for temporary files the start says so, and an import is answered 503', async (t) => {
  const { directory } = await createCli(t)
  const environment = { TMPDIR: join(directory, 'nowhere') }
  const server = await startProcess(t, { directory, environment })
  const atStart = server.logLines().filter(({ level }) => level >= 40)
  t.match(atStart, [{ level: 40, msg: /set TMPDIR$/, err: { message: told(environment.TMPDIR) } }])
  t.equal(atStart.length, 1)
  const { accessToken: token } = expectSuccess(t, await server.signIn('admin', adminPassword))
  const csv = `username,password\nalice,${userPassword}\n`
  for (const dryRun of [true, false]) {
    const answer = await importFile(server, token, csv, { query: { dryRun: String(dryRun) } })
    expectProblem(t, answer, 'unavailable')
    t.match(answer.headers.get('retry-after'), /^\d+$/)
  }
  const failed = server.logLines().filter(({ msg }) => msg === 'request failed')
  t.equal(failed.length, 2)
  t.match(JSON.stringify(failed[0]), 'Set TMPDIR to a folder')
  t.equal((await server.call('GET', '/system/user/page', { token })).status, 200, 'everything else is served')
})

test('doctor and openapi say which folder is missing', async (t) => {
  const { directory } = await createCli(t)
  const environment = { TMPDIR: join(directory, 'nowhere') }
  const run = (...args: string[]) => startChild(t, 'cli/main.js', args, { directory, environment }).ended
  const { findings } = JSON.parse((await run('doctor', '--json')).stdout) as { findings: { check: string }[] }
  t.match(
    findings.filter(({ check }) => check === 'temporary files'),
    [{ level: 'fault', message: told(environment.TMPDIR) }],
  )
  expectRefusal(t, await run('openapi'), 1, `${told(environment.TMPDIR)}\n`)
})
