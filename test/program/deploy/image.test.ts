import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { environment } from '../../../schemas/environment.js'
import { freePort } from '../../helpers/processes/free-port.js'
import { startCommand } from '../../helpers/processes/deployed-image.js'
import { lastStage, readDeployed } from '../../helpers/processes/deployed.js'
import { temporary } from '../../helpers/processes/package.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { root } from '../../helpers/processes/project.js'

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

/** A temporary folder into which other users may look, too, and which can be removed whatever is in it. */
const readableFolder = (t: Test): string => {
  const directory = temporary(t)
  chmodSync(directory, 0o755)
  t.teardown(() => execFileSync('chmod', ['-R', 'u+w', directory]))
  return directory
}

/** The Node.js of this test, in a folder that other users can read. */
const createPath = (t: Test): string => {
  const directory = readableFolder(t)
  cpSync(process.execPath, join(directory, 'node'))
  return `${directory}:/usr/bin:/bin`
}

const contentOf = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('node_modules'))
    .map((path) => [path, statSync(join(directory, path)).mtimeMs] as const)
    .toSorted()

/**
 * What the first stage has made: of `.ci/production` where it has run; else of this clone, whose packages are linked, because
 * they are many.
 */
const install = process.env['ROLLCALL_TEST_INSTALL']
/** Whoever owns nothing. Only root can become another user. */
const user = install !== undefined && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The program folder of the image. */
const createApp = (t: Test): string => {
  const app = join(readableFolder(t), 'app')
  mkdirSync(app)
  for (const { from, to } of copies) {
    for (const path of from) {
      const target = to === './' ? join(app, path) : join(app, to)
      if (install !== undefined) execFileSync('cp', ['-a', join(install, path), target])
      else if (path === 'node_modules') symlinkSync(join(root, path), target)
      else cpSync(join(root, path), target, { recursive: true })
    }
  }
  // Root may write everywhere; for others this makes it as read-only as the image is.
  if (install !== undefined) execFileSync('chmod', ['-R', 'a-w', app])
  return app
}

test('with the files, variables and command of the image, the service starts, is healthy and writes to its data only', async (t) => {
  const app = createApp(t)
  const before = contentOf(app)
  const port = String(await freePort())
  const data = join(readableFolder(t), 'data')
  mkdirSync(data)
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
  const [command] = valuesOf('CMD').map((text) => JSON.parse(text) as string[])
  const [check = ''] = valuesOf('HEALTHCHECK').map((text) => text.slice(text.indexOf('[')))
  const set = { ...variables, PATH: createPath(t), PORT: port, DATA_DIR: data }
  const isHealthy = () => {
    const [program = '', ...args] = JSON.parse(check) as string[]
    try {
      execFileSync(program, args, { env: set, stdio: 'ignore', ...user })
      return true
    } catch {
      return false
    }
  }
  t.notOk(isHealthy(), 'not healthy before it has started')
  const own = { ...set, ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const service = await startCommand(t, command ?? [], app, own, user)
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
