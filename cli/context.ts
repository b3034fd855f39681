import type { FastifyInstance } from 'fastify'
import { toOneLine, toPrintableJson } from '../lib/one-line.js'

/**
 * Builds the app of the installation that the environment names, which must be there already, hands it to `work` and
 * closes it. The app is loaded only here: help and a wrong command line do not wait for it.
 */
export const withInstalledApp = async <T>(work: (app: FastifyInstance) => Promise<T>): Promise<T> => {
  const { openInstallation, withApp } = await import('./installation.js')
  return withApp(openInstallation(process.env, { create: false }), work)
}

/** Prints the outcome: `sentence` for a person, or with `--json` the value. */
export const report = (options: { json?: boolean }, value: unknown, sentence: string): void => {
  process.stdout.write(`${options.json ? toPrintableJson(value) : sentence}\n`)
}

/** A row of what is listed, its cells between tabs: whatever strangers have sent, it stays one row and does nothing. */
export const toRow = (cells: (string | number)[]): string => cells.map((cell) => toOneLine(String(cell))).join('\t')
