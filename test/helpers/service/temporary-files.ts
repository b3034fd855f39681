import { readdirSync, readlinkSync } from 'node:fs'

const linkOf = (descriptor: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

/** How many temporary files of uploads this process has open; their names are removed already. Known on Linux only, else 0. */
export const openTemporaryFiles = (): number => {
  if (process.platform !== 'linux') return 0
  return readdirSync('/proc/self/fd').filter((descriptor) =>
    /\/rollcall-[\da-f-]{36} \(deleted\)$/.test(linkOf(descriptor)),
  ).length
}
