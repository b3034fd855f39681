import type { FastifyInstance } from 'fastify'
import { toOneLine, toPrintableJson } from '../lib/one-line.js'

/**
 * Builds the app of the installation in `DATA_DIR`, which must exist, passes it to `work` and closes it. The app is loaded
 * only here, so that `--help` and wrong command lines are answered quickly.
 */
export const withInstalledApp = async <T>(work: (app: FastifyInstance) => Promise<T>): Promise<T> => {
  const { openInstallation, withApp } = await import('./installation.js')
  return withApp(openInstallation(process.env, { create: false }), work)
}

/** Prints the result: a sentence, or with `--json` the value. */
export const report = (options: { json?: boolean }, value: unknown, sentence: string): void => {
  process.stdout.write(`${options.json ? toPrintableJson(value) : sentence}\n`)
}

/** One row of a list, with tabs between its cells. Cells of unknown origin cannot break the row or control the terminal. */
export const toRow = (cells: (string | number)[]): string => cells.map((cell) => toOneLine(String(cell))).join('\t')
