import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const tries = 3
const taskset = (pid: number, list: string) =>
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(pid)], { stdio: 'ignore' }).status === 0

/**
 * Lets all threads of a process, and threads that it starts later, run on these cores only. Needs Linux with `taskset`, which
 * fails when a thread ends while it runs, and is then tried again.
 */
const pin = (pid: number, list: string): boolean => Array.from({ length: tries }).some(() => taskset(pid, list))

// Read before this process is given one core: from then on `availableParallelism` is 1.
export const cores = availableParallelism()
const all = `0-${cores - 1}`

/**
 * Gives the servers one core and this process, which is the load, another one; or all of them all cores. Returns whether
 * this was possible.
 */
export const assignCores = (servers: number[], apart: boolean): boolean =>
  cores > 1 && pin(process.pid, apart ? '1' : all) && servers.map((pid) => pin(pid, apart ? '0' : all)).every(Boolean)
