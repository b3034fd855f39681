import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import Fastify from 'fastify'
import { test } from 'tap'
import rollcall, { openInstallation } from '../../../app.js'
import { emptyDirectory, installedDirectory } from '../../helpers/processes/child.js'
import { failNextFlush } from '../../helpers/processes/failing-disk.js'
import { startProcess } from '../../helpers/processes/process.js'
import { programs } from '../../helpers/processes/project.js'
import { adminPassword } from '../../helpers/service/passwords.js'

const json = { username: 'admin', password: adminPassword }
const preload = pathToFileURL(resolve(programs, 'test/helpers/processes/failing-disk.js')).href

test('after a flush that failed nothing is acknowledged, and the process says why in one line and ends with 1', async (t) => {
  const directory = await installedDirectory(t)
  const environment = { NODE_OPTIONS: `--import=${preload}` }
  const server = await startProcess(t, { directory, environment })
  const before = await server.call('POST', '/auth/login', { json })
  t.equal(before.status, 200)
  failNextFlush(directory)
  const first = await server.call('POST', '/auth/login', { json })
  t.equal(first.status, 503)
  t.match(first.body, { code: 503, data: { reason: 'unavailable' } })
  const { code, stdout } = await server.ended
  t.equal(code, 1)
  const fatal = stdout.split('\n').filter((line) => line.includes('"level":60'))
  t.equal(fatal.length, 1)
  t.match(JSON.parse(fatal[0] ?? ''), { msg: /^Rollcall stops: .*may not be on the disk: .*EIO/ })
  const again = await startProcess(t, { directory })
  const token = before.body.data.accessToken as string
  t.equal((await again.call('GET', '/auth/userInfo', { token })).status, 200, 'what was acknowledged is there')
})

test('embedded, the service closes, answers 503 and tells the host, which goes on', async (t) => {
  const directory = emptyDirectory(t)
  const environment = { DATA_DIR: directory, ROLLCALL_ADMIN_PASSWORD: adminPassword, RATE_LIMITS: 'off' }
  const told: Error[] = []
  let log = ''
  const app = Fastify({ logger: { level: 'fatal', stream: { write: (line: string) => (log += line) } } })
  t.teardown(() => app.close())
  app.get('/own', () => ({ host: 'own' }))
  app.register(rollcall, {
    prefix: '/iam',
    installation: openInstallation(environment, { create: true }),
    onFatal: (error) => told.push(error),
  })
  await app.ready()
  const signIn = () => app.inject({ method: 'POST', url: '/iam/auth/login', payload: json })
  const { accessToken } = (await signIn()).json<{ data: { accessToken: string } }>().data
  failNextFlush(directory)
  const answers = await Promise.all([signIn(), signIn(), signIn()])
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [503, 503, 503],
  )
  const headers = { authorization: `Bearer ${accessToken}` }
  for (const url of ['/iam/auth/userInfo', '/iam/health/ready', '/iam/health/live', '/iam/auth/captcha']) {
    const answer = await app.inject({ url, headers })
    t.equal(answer.statusCode, 503, url)
    t.match(answer.json(), { code: 503, data: { reason: 'unavailable' } })
    t.ok(answer.headers['retry-after'])
  }
  t.match(told, [{ message: /may not be on the disk/ }])
  t.equal(told.length, 1)
  t.equal(log.trim().split('\n').length, 1)
  t.same((await app.inject('/own')).json(), { host: 'own' })
})
