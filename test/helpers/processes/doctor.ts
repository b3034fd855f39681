import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Finding } from '../../../cli/doctor/finding.js'
import type { Cli, RunOptions } from './cli.js'

/** Lays settings over those of `config.json`. */
export const changeSettings = ({ directory }: Cli, more: object) => {
  const file = join(directory, 'config.json')
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...more }))
}

/** Runs `rollcall doctor`, whose exit code must be that of its findings. */
export const examine = async (t: Test, cli: Cli, args = '', options: RunOptions = {}): Promise<Finding[]> => {
  const { code, stdout, stderr } = await cli.run(`doctor --json ${args}`, options)
  t.equal(stderr, '')
  const { faults, warnings, findings } = JSON.parse(stdout) as { faults: number; warnings: number; findings: Finding[] }
  t.equal(code, faults > 0 ? 1 : 0, 'exit code')
  t.equal(findings.filter(({ level }) => level === 'fault').length, faults)
  t.equal(findings.filter(({ level }) => level === 'warning').length, warnings)
  for (const { level, advice, check } of findings) t.equal(advice === undefined, level === 'ok', `${check} has advice`)
  return findings
}

export const troubles = (findings: Finding[]) => findings.filter(({ level }) => level !== 'ok')
