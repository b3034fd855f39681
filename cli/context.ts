import type { FastifyInstance } from 'fastify'

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
  process.stdout.write(`${options.json ? JSON.stringify(value) : sentence}\n`)
}
