import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import { runCommand } from './command.js'
import { adminPassword } from '../service/passwords.js'
import { spawnProgram, variablesOf, type ChildOptions } from './spawn.js'

export type { ChildOptions, Outcome } from './spawn.js'

/** Starts a compiled program with an environment of its own; whatever still runs at the end of the test is killed. */
export const startChild = (t: Test, program: string, args: string[], options: ChildOptions) => {
  const started = spawnProgram(program, args, variablesOf(options), options)
  const { child, ended } = started
  // A program that ends without reading its input breaks the pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return started
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
  const { code, stderr } = await runCommand(t, ['init'], { directory, environment })
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
