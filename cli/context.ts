import type { FastifyInstance } from 'fastify'
import { toPrintableJson } from '../lib/one-line.js'

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
