import { spawnSync } from 'node:child_process'

const program = 'oathtool'

/** False where the program is, otherwise why its tests are skipped. */
export const skipped =
  spawnSync(program, ['--version']).status === 0 ? false : 'there is no oathtool here (package oathtool)'

/** The code of a secret in base32 at a time, epoch milliseconds, by the OATH Toolkit. The secret is sent by the standard input. */
export const oathtoolCodeAt = (secret: string, time: number): string => {
  const now = new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
  const { status, stdout, stderr } = spawnSync(program, ['--totp', '--base32', '--now', now, '-'], {
    input: secret,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}
