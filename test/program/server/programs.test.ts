import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { installedDirectory } from '../../helpers/processes/child.js'
import { startProcess } from '../../helpers/processes/process.js'
import { programs, root } from '../../helpers/processes/project.js'
import { adminPassword } from '../../helpers/service/server.js'

const oldest = manifest.engines.node.replace('>=', '')

const temporary = (t: Test): string => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Runs a file with this Node.js, which says that it is `version`. */
const runAs = (version: string, file: string, more: string[] = []) => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, file, ...more]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {}, timeout: 120_000 })
  return { status, stdout, stderr }
}

const [major = 0, minor = 0] = oldest.split('.').map(Number)
for (const version of [`${major - 2}.20.2`, `${major}.${minor - 1}.9`, '9.11.2']) {
  for (const program of ['server.js', 'cli/main.js']) {
    test(`${program} on Node.js ${version} says in one line what it needs, and nothing else happens`, async (t) => {
      const { status, stdout, stderr } = runAs(version, join(programs, program), ['user', 'list'])
      t.equal(status, 1)
      t.equal(stdout, '')
      t.match(stderr, new RegExp(`^Rollcall needs Node\\.js ${oldest} or newer; this is ${version}\\. .+\n$`))
    })
  }
}

test('an app that imports the package on an older Node.js gets the same line as an error', async (t) => {
  const { status, stderr } = runAs('20.20.2', join(programs, 'app.js'))
  t.equal(status, 1)
  t.match(stderr, `Error: Rollcall needs Node.js ${oldest} or newer; this is 20.20.2.`)
})

for (const version of [oldest, `${major}.${minor + 1}.0`, `${major + 2}.0.0`]) {
  test(`Node.js ${version} is new enough`, async (t) => {
    const { status, stdout, stderr } = runAs(version, join(programs, 'cli/main.js'), ['--version'])
    t.strictSame({ status, stdout, stderr }, { status: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })
}

/** A build of its own, without the tests: it can be deleted. */
const copyBuild = (t: Test): string => {
  const project = temporary(t)
  const built = join(project, 'dist')
  mkdirSync(built)
  for (const name of readdirSync(programs).filter((entry) => entry !== 'test')) {
    cpSync(join(programs, name), join(built, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  cpSync(join(root, 'package.json'), join(project, 'package.json'))
  return built
}

test('a server that was started through a link and without .js serves, also when it is built anew', async (t) => {
  const built = copyBuild(t)
  const link = join(temporary(t), 'link')
  symlinkSync(built, link)
  const server = await startProcess(t, { directory: await installedDirectory(t) }, [join(link, 'server')])
  // What `npm run build` does. Threads and libraries that are loaded later come from the new build.
  const next = `${built}.next`
  cpSync(built, next, { recursive: true })
  rmSync(built, { recursive: true })
  renameSync(next, built)
  const answer = await server.signIn('admin', adminPassword)
  t.equal(answer.status, 200, answer.text)
  const page = await server.call('GET', '/system/user/page', { token: answer.body.data.accessToken })
  t.equal(page.body.data.total, 1)
  t.equal((await server.stop()).code, 0)
  t.notMatch(server.output.stdout, /ERR_MODULE_NOT_FOUND|"level":50/)
})

/** A project with the scripts of this one and files of its own. */
const createProject = (t: Test, files: Record<string, string>): string => {
  const project = temporary(t)
  cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true })
  for (const [name, content] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(join(project, name, '..'), { recursive: true })
    writeFileSync(join(project, name), content)
  }
  return project
}

const runScript = (project: string, script: string) => {
  const file = join(project, 'scripts', script)
  // Without what the test runner loads into every Node.js process: the compiler does not start with it.
  const args = ['-u', 'NODE_OPTIONS', process.execPath, file]
  const { status, stdout, stderr } = spawnSync('env', args, { encoding: 'utf8', timeout: 120_000 })
  return { status, stdout, stderr }
}

const stub = "console.log('the service')\n"
const startRows = [
  {
    name: 'no build',
    build: false,
    status: 1,
    stdout: '',
    stderr: /^Nothing is built yet\. Run `npm ci --include=dev`, or `npm run build`[^\n]*\n$/,
  },
  { name: 'a build newer than the sources', age: -60, status: 0, stdout: 'the service\n', stderr: /^$/ },
  {
    name: 'sources newer than the build',
    age: 60,
    status: 0,
    stdout: 'the service\n',
    stderr: /^The sources are newer[^\n]*`npm run build`[^\n]*\n$/,
  },
]
for (const { name, build = true, age = 0, ...expected } of startRows) {
  test(`npm start with ${name}`, async (t) => {
    const project = createProject(t, { 'plugins/a/b.ts': '', ...(build ? { 'dist/server.js': stub } : {}) })
    // Folders are as new as this test, and files of a second ago are surely older.
    const time = Date.now() / 1000 + 1
    if (build) utimesSync(join(project, 'dist/server.js'), time, time)
    utimesSync(join(project, 'plugins/a/b.ts'), time + age, time + age)
    const { stderr, ...outcome } = runScript(project, 'start.js')
    t.strictSame(outcome, { status: expected.status, stdout: expected.stdout })
    t.match(stderr, expected.stderr)
  })
}

const configuration = JSON.stringify({
  compilerOptions: { module: 'nodenext', target: 'es2023', rootDir: '.', skipLibCheck: true, types: [] },
  files: ['app.ts'],
})
/** Runs the build in a project with an old build, and tells what is there afterwards. */
const buildOver = (t: Test, source: string) => {
  const project = createProject(t, { 'tsconfig.build.json': configuration, 'app.ts': source, 'dist/old.js': '' })
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  return {
    ...runScript(project, 'build.js'),
    project,
    left: readdirSync(project).filter((name) => name.startsWith('dist')),
  }
}

test('a build takes the place of the one before as a whole', async (t) => {
  const { status, stdout, stderr, project, left } = buildOver(t, 'export const answer: number = 42\n')
  t.equal(status, 0, `${stdout}${stderr}`)
  t.strictSame(left, ['dist'], 'nothing is left beside')
  t.strictSame(readdirSync(join(project, 'dist')), ['app.js'], 'and nothing of the old one inside')
  t.match(readFileSync(join(project, 'dist/app.js'), 'utf8'), 'answer = 42')
  const mode = statSync(join(project, 'dist')).mode & 0o777
  t.equal(mode, 0o755, 'who runs the service may read what another user has built')
})

test('a build that fails leaves the one before', async (t) => {
  const { status, stdout, project, left } = buildOver(t, "export const answer: number = 'no'\n")
  t.not(status, 0)
  t.match(stdout, 'TS2322')
  t.strictSame(left, ['dist'])
  t.strictSame(readdirSync(join(project, 'dist')), ['old.js'])
})

test('without the development dependencies a build that is there stays, and that is no failure', async (t) => {
  const project = createProject(t, { 'dist/server.js': stub })
  const { status, stderr } = runScript(project, 'build.js')
  t.equal(status, 0)
  t.match(stderr, 'stays as it is')
  t.strictSame(readdirSync(join(project, 'dist')), ['server.js'])
})

test('a build without the development dependencies says what brings them, also with NODE_ENV=production', (t) => {
  const { stderr } = runScript(createProject(t, {}), 'build.js')
  t.equal(
    stderr,
    'Nothing is built: npm leaves the development dependencies out with NODE_ENV=production and --omit=dev. Run `npm ci --include=dev`.\n',
  )
  t.end()
})
