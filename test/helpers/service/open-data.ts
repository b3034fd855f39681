import { openInstallation, type Installation } from '../../../app.js'

export type Plain = Record<string, unknown>

export interface DataOptions {
  settings?: Plain
  environment?: Record<string, string>
  isForeign?: boolean
  hasRealHashes?: boolean
}

/** Cheaper than the configuration allows: thousands of hashes of the real cost are a good part of the time of the tests. */
const cheapHashes = { memoryKiB: 64, passes: 1 }

/** Opens a data directory, with cheap hashes unless the test is about hashes. */
export const openData = (
  environment: Record<string, string>,
  { settings = {}, hasRealHashes = settings['passwords'] !== undefined }: DataOptions,
): Installation => {
  const installation = openInstallation(environment, { create: true })
  if (hasRealHashes) return installation
  const passwords = { ...installation.settings.passwords, ...cheapHashes }
  return { ...installation, settings: { ...installation.settings, passwords } }
}
