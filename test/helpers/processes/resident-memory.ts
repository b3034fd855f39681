import { readFileSync } from 'node:fs'

/** Resident memory of a process, MiB. Linux only. */
export const residentMemory = (pid: number): number => {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}

/** The most that `residentMemory` has been since the start of the process, or since its peak was reset. MiB. Linux only. */
export const peakMemory = (pid: number): number => {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}
