import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { environment } from '../../schemas/environment.js'
import { freePort } from '../helpers/free-port.js'
import { startCommand } from '../helpers/deployed-image.js'
import { lastStage, readDeployed } from '../helpers/deployed.js'
import { temporary } from '../helpers/package.js'
import { adminPassword } from '../helpers/passwords.js'
import { root } from '../helpers/project.js'

const valuesOf = (wanted: string) => lastStage().flatMap(([name, rest]) => (name === wanted ? [rest] : []))

/** What the image sets. */
const variables = Object.fromEntries(
  valuesOf('ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=') as [string, string])),
)
/** What is copied out of the first stage: the paths there, and where they go. */
const copies = valuesOf('COPY').map((text) => {
  const paths = text.split(' ').filter((part) => !part.startsWith('--'))
  return { from: paths.slice(0, -1).map((path) => path.replace('/build/', '')), to: paths.at(-1) ?? '' }
})

const contentOf = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('node_modules'))
    .map((path) => [path, statSync(join(directory, path)).mtimeMs] as const)
    .toSorted()

test('with the files, variables and command of the image, the service starts, is healthy and writes to its data only', async (t) => {
  const app = join(temporary(t), 'app')
  mkdirSync(app)
  for (const { from, to } of copies) {
    for (const path of from) {
      const target = to === './' ? join(app, path) : join(app, to)
      if (path === 'node_modules') symlinkSync(join(root, path), target)
      else cpSync(join(root, path), target, { recursive: true })
    }
  }
  const before = contentOf(app)
  const port = String(await freePort())
  const data = join(temporary(t), 'data')
  mkdirSync(data)
  const [command] = valuesOf('CMD').map((text) => JSON.parse(text) as string[])
  const [check = ''] = valuesOf('HEALTHCHECK').map((text) => text.slice(text.indexOf('[')))
  const set = { ...variables, PORT: port, DATA_DIR: data }
  const isHealthy = () => {
    const [program = '', ...args] = JSON.parse(check) as string[]
    try {
      execFileSync(program, args, { env: { ...set, PATH: process.env['PATH'] }, stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  t.notOk(isHealthy(), 'not healthy before it has started')
  const service = await startCommand(t, command ?? [], app, { ...set, ROLLCALL_ADMIN_PASSWORD: adminPassword })
  t.ok(isHealthy())
  const answer = await fetch(`http://127.0.0.1:${port}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  })
  t.equal(answer.status, 200)
  t.equal(await service.stop(), 0)
  t.notOk(isHealthy(), 'not healthy after it has ended')
  t.strictSame(contentOf(app), before)
  t.ok(existsSync(join(data, 'rollcall.db')))
})

test('the image runs as an unprivileged user and has no secret', async (t) => {
  t.strictSame(valuesOf('USER'), ['node'])
  const secrets = ['ROLLCALL_SECRET', 'ROLLCALL_ADMIN_PASSWORD', 'DATABASE_URL']
  for (const name of secrets) t.notMatch(readDeployed('Dockerfile'), name)
  const known = ['NODE_ENV', 'MALLOC_ARENA_MAX', ...environment.map(({ name }) => name)]
  for (const name of Object.keys(variables)) t.ok(known.includes(name), name)
  const ignored = readDeployed('.dockerignore').split('\n')
  for (const name of ['.git', '.env', 'data', 'node_modules', 'dist']) t.ok(ignored.includes(name), name)
})
