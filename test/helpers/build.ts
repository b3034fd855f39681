import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The project. */
export const root = join(import.meta.dirname, '../..')

const sources = ['app.ts', 'server.ts', 'package.json', 'tsconfig.json', 'tsconfig.build.json']
const folders = ['plugins', 'routes', 'schemas', 'db', 'cli', 'bench']
/** Its time is the time of the sources that `dist` was built from. */
const stamp = join(root, 'dist', '.built-for-tests')
const lock = join(tmpdir(), `rollcall-build-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)

const modified = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Folders count too: a file that was deleted leaves its mark only there. */
const newestSource = () => {
  const inside = folders
    .filter((folder) => modified(join(root, folder)) > 0)
    .flatMap((folder) => [
      folder,
      ...readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`),
    ])
  return Math.max(...[...sources, ...inside].map((path) => modified(join(root, path))))
}

const isFresh = () => modified(join(root, 'dist/cli/main.js')) > 0 && modified(stamp) >= newestSource()

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Takes the lock in one step, with the id of its holder inside; false when somebody alive has it. */
const takeLock = (): boolean => {
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, lock)
    return true
  } catch {
    try {
      if (!isAlive(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true })
    } catch {
      // Its holder has just let it go.
    }
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

const compile = async () => {
  try {
    await promisify(execFile)('npm', ['run', 'build', '--silent'], { cwd: root, env: { PATH: process.env['PATH'] } })
  } catch (error) {
    throw new Error(`npm run build failed:\n${(error as { stdout?: string }).stdout ?? String(error)}`, {
      cause: error,
    })
  }
}

/** Brings `dist` up to date, once for all test files that run at the same time. */
export const build = async (): Promise<void> => {
  while (!isFresh()) {
    if (!takeLock()) {
      await setTimeout(50)
      continue
    }
    try {
      if (isFresh()) return
      const time = new Date(Math.ceil(newestSource()))
      await compile()
      writeFileSync(stamp, '')
      utimesSync(stamp, time, time)
      return
    } finally {
      rmSync(lock, { force: true })
    }
  }
}
