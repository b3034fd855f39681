import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { filesToSave } from './documents.js'
import { freePort } from '../processes/free-port.js'
import { eventually } from '../processes/process.js'
import { root } from '../processes/project.js'

/** A program of a page of docs/recipes/. */
export interface Program {
  page: string
  /** The file that the page tells the reader to save. */
  file: string
  /** `PORT` stands for a free port, which is also in the environment. */
  command: string[]
}

/** Makes packages of a folder visible to a project, as if they were installed there. */
const link = (project: string, installed: string, name: string): void => {
  const path = join(project, 'node_modules', name)
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(root, installed, 'node_modules', name), path)
}

/** A project with all files of a page, and the packages of a folder of test/fixtures, fastify and jose. */
export const recipeProject = (t: Test, page: string, fixture = 'test/fixtures/recipes'): string => {
  const project = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
  t.teardown(() => rmSync(project, { recursive: true, force: true }))
  const installed = join(root, fixture, 'node_modules')
  const names = existsSync(installed) ? readdirSync(installed).filter((name) => !name.startsWith('.')) : []
  for (const name of names) link(project, fixture, name)
  for (const name of ['fastify', 'jose']) link(project, '.', name)
  for (const [name, code] of filesToSave(page)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), code)
  }
  return project
}

/** Starts the program of a page, waits until it answers, and returns its origin. It ends with the test. */
export const startRecipe = async (
  t: Test,
  { page, file, command }: Program,
  variables: Record<string, string>,
  wantedPort?: number,
) => {
  const directory = recipeProject(t, page)
  if (!existsSync(join(directory, file))) throw new Error(`${page} does not say what to save as ${file}`)
  const port = String(wantedPort ?? (await freePort()))
  const [program = '', ...args] = command.map((word) => (word === 'PORT' ? port : word))
  // Without what the test runner puts into the environment. In a group of its own: `go run` starts the API as its child.
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory, PORT: port, ...variables }
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const child = spawn('env', ['-i', ...assignments, program, ...args], { cwd: directory, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const ended = once(child, 'close')
  t.teardown(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
  })
  const origin = `http://127.0.0.1:${port}`
  await eventually(`${file} to answer`, async () => {
    if (child.exitCode !== null) throw new Error(`${file} has ended: ${output}`)
    return fetch(origin).then(
      () => true,
      () => undefined,
    )
  })
  return origin
}

export const get = async (url: string, token?: string) => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers })
  return { status: response.status, text: await response.text(), challenge: response.headers.get('www-authenticate') }
}
