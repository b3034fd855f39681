import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { programs } from './project.js'
import { adminPassword } from './server.js'

export interface Outcome {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface ChildOptions {
  environment?: Record<string, string> | undefined
  /** All of standard input; absent means none at all. */
  input?: string | undefined
  directory: string
}

/** With these `npm start` runs the service, and commands take a tenth less of the processor. */
const flags = manifest.scripts.start.match(/--\S+/g) ?? []

/** Starts a compiled program with an environment of its own; whatever still runs at the end of the test is killed. */
export const startChild = (t: Test, program: string, args: string[], options: ChildOptions) => {
  const { directory, environment, input = '' } = options
  const variables = Object.entries({ PATH: process.env['PATH'], DATA_DIR: directory, ...environment })
  const command = [process.execPath, ...flags, join(programs, program), ...args]
  // Nothing of what the test runner puts into the environment of every process: its loader alone takes as long as the
  // program. It does so in spite of `env`, so that the command of that name has to take it out again.
  const child = spawn('env', ['-i', ...variables.map(([name, value]) => `${name}=${value}`), ...command])
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (output[stream] += text))
  }
  const ended = once(child, 'close').then((values): Outcome => {
    const [code, signal] = values as [number | null, NodeJS.Signals | null]
    return { code, signal, ...output }
  })
  // A program that ends without reading its input breaks the pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, output, ended }
}

/** The path of a data directory that does not exist yet; what comes to be there is deleted with the test. */
export const emptyDirectory = (t: Test): string => {
  const base = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(base, { recursive: true, force: true }))
  return join(base, 'data')
}

let template: Promise<string> | undefined

const createTemplate = async (t: Test): Promise<string> => {
  const base = mkdtempSync(join(tmpdir(), 'rollcall-template-'))
  process.once('exit', () => rmSync(base, { recursive: true, force: true }))
  const directory = join(base, 'data')
  const environment = { ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const { code, stderr } = await startChild(t, 'cli/main.js', ['init'], { directory, environment }).ended
  if (code !== 0) throw new Error(`init failed: ${stderr}`)
  return directory
}

/** A data directory of its own in which `admin` has the password `adminPassword`. */
export const installedDirectory = async (t: Test): Promise<string> => {
  template ??= createTemplate(t)
  const directory = emptyDirectory(t)
  cpSync(await template, directory, { recursive: true })
  return directory
}

/** Everything in the database, table by table. */
export const databaseContent = (directory: string): Record<string, unknown[]> => {
  const database = new Sqlite(join(directory, 'rollcall.db'), { readonly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all()
    return Object.fromEntries(
      (tables as string[]).map((name) => [name, database.prepare(`select * from "${name}"`).all()]),
    )
  } finally {
    database.close()
  }
}
