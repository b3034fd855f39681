import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const tries = 3
const taskset = (pid: number, cores: string) =>
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' }).status === 0

/**
 * Lets all threads of a process, and those that it starts later, run on these cores only. Works on Linux with `taskset`,
 * which gives up when one of the threads ends meanwhile.
 */
const pin = (pid: number, cores: string): boolean => Array.from({ length: tries }).some(() => taskset(pid, cores))

const all = `0-${availableParallelism() - 1}`

/**
 * Gives the servers one core and the load, which is this process, another; or all of them all cores. Returns whether
 * that was possible.
 */
export const assignCores = (servers: number[], areApart: boolean): boolean =>
  availableParallelism() > 1 &&
  pin(process.pid, areApart ? '1' : all) &&
  servers.map((pid) => pin(pid, areApart ? '0' : all)).every(Boolean)
