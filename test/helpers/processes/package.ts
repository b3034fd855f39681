import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { root } from './project.js'

/** Runs a command without what the test runner loads into every Node.js process, and returns what it prints. */
export const run = (directory: string, command: string, args: string[]): string =>
  execFileSync('env', ['-u', 'NODE_OPTIONS', command, ...args], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

export const temporary = (t: Test): string => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Builds and packs the files of the project as they are now, and returns the path of the tarball. */
export const pack = (t: Test): string => packWithClient(t).service

/** The same, and the package of the client. */
export const packWithClient = (t: Test): { service: string; client: string } => {
  const project = temporary(t)
  const files = run(root, 'git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']).split('\0')
  for (const file of files.filter((name) => name !== '' && !name.startsWith('test/'))) {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    cpSync(join(root, file), join(project, file))
  }
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  // `prepare` builds.
  const packFolder = (...folder: string[]): string => {
    const said = run(project, 'npm', ['pack', '--silent', '--json', ...folder])
    const [packed] = JSON.parse(said) as [{ filename: string }]
    return join(project, packed.filename)
  }
  return { service: packFolder(), client: packFolder('./dist/client') }
}

/** Unpacks a tarball to where npm installs it. */
export const unpackInto = (project: string, name: string, tarball: string): string => {
  const installed = join(project, 'node_modules', name)
  mkdirSync(installed, { recursive: true })
  run(project, 'tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  return installed
}

/** The files of a tarball, without the folder `package`. */
export const filesOf = (tarball: string): string[] =>
  run(dirname(tarball), 'tar', ['-tzf', tarball])
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith('/'))
    .map((line) => line.replace(/^package\//, ''))

/** An empty project into which `npm install TARBALL fastify` installs, over the network. */
export const installByNpm = (t: Test, tarball: string): string => {
  const project = temporary(t)
  run(project, 'npm', ['init', '--yes'])
  run(project, 'npm', ['install', '--no-audit', '--no-fund', tarball, `fastify@${manifest.peerDependencies.fastify}`])
  return project
}

/**
 * The same without the network: the package is unpacked, and of what is installed here it finds only what its manifest
 * names.
 */
export const installByLinks = (t: Test, tarball: string): string => {
  const project = temporary(t)
  run(project, 'npm', ['init', '--yes'])
  const installed = unpackInto(project, 'rollcall', tarball)
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: object
    peerDependencies: object
  }
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const link = join(project, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  return project
}

interface Locked {
  dev?: boolean
  devOptional?: boolean
}

/**
 * A project of TypeScript into which the package, Fastify and the types of Node.js were installed: it finds what npm installs for
 * production, at the same places, and no types that are only here.
 */
export const installWithTypes = (t: Test, tarball: string): string => {
  const project = installByLinks(t, tarball)
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const isProduction = (path: string) => {
    const { dev = false, devOptional = false } = packages[path] ?? {}
    return /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && !devOptional
  }
  const types = ['node_modules/@types/node', 'node_modules/undici-types']
  for (const path of new Set([...Object.keys(packages).filter(isProduction), ...types])) {
    const link = join(project, path)
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link) && existsSync(join(root, path))) symlinkSync(join(root, path), link)
  }
  return project
}

/** The compilers by their version. The tests have another one, which needs the oldest. */
const compilers = {
  '5.9': '@tapjs/test/node_modules/typescript/bin/tsc',
  '6': 'typescript/bin/tsc',
  '7': '@typescript/native/bin/tsc',
}
export type Compiler = keyof typeof compilers

interface Compilation {
  content: string
  compiler: Compiler
  resolution: 'nodenext' | 'bundler'
  /** Without those of Node.js a project has those of browsers. */
  types?: string[]
}

/** What a compiler says of `host.ts` with that content, where the types of all packages are checked, too. */
export const compileStrictly = (
  project: string,
  { content, compiler, resolution, types = ['node'] }: Compilation,
): string => {
  writeFileSync(join(project, 'host.ts'), content)
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  const module = resolution === 'nodenext' ? 'nodenext' : 'esnext'
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--preserveSymlinks']
  if (types.length > 0) options.push('--types', types.join(','))
  const args = [join(root, 'node_modules', compilers[compiler]), ...options, '--module', module]
  const all = ['-u', 'NODE_OPTIONS', process.execPath, ...args, '--moduleResolution', resolution, 'host.ts']
  const { stdout, status } = spawnSync('env', all, { cwd: project, encoding: 'utf8' })
  return status === 0 ? '' : `failed:\n${stdout}`
}

/** What the compiler says of `host.mts` with that content, and of other files, in a project that uses the package. */
export const typeCheck = (project: string, content: string, others: string[] = []): string => {
  writeFileSync(join(project, 'host.mts'), content)
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc')
  const options = [
    '--noEmit',
    '--strict',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
  ]
  const types = ['--typeRoots', join(root, 'node_modules/@types')]
  const args = ['-u', 'NODE_OPTIONS', process.execPath, compiler, ...options, ...types, 'host.mts', ...others]
  return spawnSync('env', args, { cwd: project, encoding: 'utf8' }).stdout
}
