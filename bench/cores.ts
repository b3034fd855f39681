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
/** Whether processes of a database run on the core of the load. */
let isShared = false
/** Whether this process, which is the load, has a core of its own now. */
export const hasOwnCore = (): boolean => cores > 1 && availableParallelism() === 1 && !isShared
const all = `0-${cores - 1}`
const loadCore = '1'
/** Milliseconds. A service opens connections when it needs them. */
const interval = 500

/** Keeps processes that come and go on the core of the load, until the returned function is called. */
export const keepOnLoadCore = (pids: () => Promise<number[]>): (() => void) => {
  const known = new Set<number>()
  const look = async () => {
    for (const pid of await pids().catch(() => [])) if (!known.has(pid) && pin(pid, loadCore)) known.add(pid)
    isShared = known.size > 0
  }
  const timer = setInterval(() => void look(), interval)
  void look()
  return () => {
    clearInterval(timer)
    isShared = false
    for (const pid of known) pin(pid, all)
  }
}

/**
 * Gives the servers one core and this process, which is the load, another one; or all of them all cores. Returns whether
 * this was possible.
 */
export const assignCores = (servers: number[], apart: boolean): boolean =>
  cores > 1 &&
  pin(process.pid, apart ? loadCore : all) &&
  servers.map((pid) => pin(pid, apart ? '0' : all)).every(Boolean)
