import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { installedDirectory } from '../../helpers/processes/child.js'
import { createCli } from '../../helpers/processes/cli.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import type { Content } from '../../helpers/service/installation.js'
import { adminPassword, userPassword } from '../../helpers/service/passwords.js'
import { startProcess } from '../../helpers/processes/process.js'

const startTwo = async (t: Test, directory: string) => {
  const [one, two] = await Promise.all([startProcess(t, { directory }), startProcess(t, { directory })])
  return { one, two }
}

test('two processes on one data directory', async (t) => {
  const cli = await createCli(t)
  const { one, two } = await startTwo(t, cli.directory)

  await t.test('share their sessions', async (t) => {
    const { accessToken: token } = expectSuccess(t, await one.signIn('admin', adminPassword))
    t.equal(expectSuccess(t, await two.call('GET', '/auth/userInfo', { token })).username, 'admin')
    const next = expectSuccess(t, await two.call('POST', '/auth/refreshToken', { token })).accessToken
    expectSuccess(t, await one.call('GET', '/auth/userInfo', { token: next }))
    expectSuccess(t, await two.call('POST', '/auth/logout', { token: next }))
    expectProblem(t, await one.call('GET', '/auth/userInfo', { token: next }), 'session_revoked')
    expectProblem(t, await two.call('GET', '/auth/userInfo', { token: next }), 'session_revoked')
  })

  await t.test('succeed with each of many parallel writes', async (t) => {
    const names = ['alice', 'bob', 'carol', 'dave']
    for (const name of names) {
      await cli.done(`user add --username ${name} --no-force-change --password-stdin`, { input: userPassword })
    }
    const live = async (name: string, server: typeof one, other: typeof one): Promise<number[]> => {
      const statuses: number[] = []
      for (let round = 0; round < 6; round++) {
        const login = await server.signIn(name, userPassword, { userClient: 'app' })
        const { accessToken: token } = login.body.data
        const refreshed = await Promise.all([
          server.call('POST', '/auth/refreshToken', { token }),
          other.call('POST', '/auth/refreshToken', { token }),
        ])
        t.equal(refreshed[0].body.data.accessToken, refreshed[1].body.data.accessToken, 'one successor')
        const info = await other.call('GET', '/auth/userInfo', { token: refreshed[0].body.data.accessToken })
        const wrong = await other.signIn(name, 'wrong green teapot', { userClient: 'app' })
        const logout = await other.call('POST', '/auth/logout', { token: refreshed[0].body.data.accessToken })
        statuses.push(login.status, ...refreshed.map(({ status }) => status), info.status, wrong.status, logout.status)
      }
      return statuses
    }
    const all = await Promise.all(names.map((name, index) => (index % 2 ? live(name, one, two) : live(name, two, one))))
    for (const [index, statuses] of all.entries()) {
      t.same(statuses, Array.from({ length: 6 }, () => [200, 200, 200, 200, 400, 200]).flat(), names[index] ?? '')
    }
    const errors = [one, two].flatMap((server) => server.logLines().filter(({ level }) => level >= 50))
    t.same(errors, [], 'nothing in the logs')
  })

  await t.test('let a user hold as many sessions as allowed, wherever the sign-ins arrive', async (t) => {
    await cli.done('user add --username erin --no-force-change --password-stdin', { input: userPassword })
    const answers = await Promise.all(
      [one, two, one, two].map((server) => server.signIn('erin', userPassword, { userClient: 'wechat' })),
    )
    const tokens = answers.map((answer) => expectSuccess(t, answer).accessToken)
    const statuses = await Promise.all(
      tokens.map(async (token) => (await one.call('GET', '/auth/userInfo', { token })).status),
    )
    t.same(statuses.sort(), [200, 401, 401, 401])
  })
})

test('failures count across processes, and a captcha of one is solved at the other', async (t) => {
  const directory = await installedDirectory(t)
  const environment = { ROLLCALL_DEV_ECHO: '1' }
  const one = await startProcess(t, { directory, environment })
  const two = await startProcess(t, { directory, environment })
  for (const server of [one, two, one]) {
    expectProblem(t, await server.signIn('admin', 'wrong horse battery'), 'invalid_credentials')
  }
  expectProblem(t, await two.signIn('admin', adminPassword), 'captcha_required')
  const { code, codeKey } = expectSuccess(t, await one.call('GET', '/auth/captcha'))
  expectSuccess(t, await two.signIn('admin', adminPassword, { code, codeKey }))
  const captcha = { authType: 'password_captcha', code, codeKey }
  expectProblem(t, await one.signIn('admin', adminPassword, captcha), 'invalid_code')
})

test('L2: of 60 parallel wrong tries at two processes exactly five are told that they are wrong', async (t) => {
  const directory = await installedDirectory(t)
  const path = join(directory, 'config.json')
  const content = JSON.parse(readFileSync(path, 'utf8')) as Content
  writeFileSync(path, JSON.stringify({ ...content, captcha: { mode: 'never' } }))
  const { one, two } = await startTwo(t, directory)
  const answers = await parallel(60, (index) => (index % 2 ? one : two).signIn('admin', 'wrong horse battery'))
  t.equal(tally(answers)['invalid_credentials'], 5)
  t.notOk(tally(answers)['200'])
  expectProblem(t, await one.signIn('admin', adminPassword), 'too_many_attempts')
  expectProblem(t, await two.signIn('admin', adminPassword), 'too_many_attempts')
})
