import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import rollcall, { openInstallation, type Installation } from '../../app.js'
import { createClock } from './clock.js'
import { adminPassword } from './passwords.js'

export type Plain = Record<string, unknown>

interface DataOptions {
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

/** What a first start makes depends on these; a server that has one of them makes its own. */
const firstStartVariables = ['ROLLCALL_SECRET', 'ROLLCALL_ADMIN_PASSWORD', 'DATABASE_URL']
const firstStartSettings = ['databaseUrl', 'passwords', 'serviceName']

/** A data directory as the first start leaves it. */
const createTemplate = async (): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-template-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const environment = { DATA_DIR: directory, ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const installation = openData(environment, {})
  // A slow machine takes its time.
  const app = Fastify({ pluginTimeout: 0 })
  await app.register(rollcall, { installation, clock: createClock(), answering: false })
  await app.ready()
  await app.close()
  return directory
}

let template: Promise<string> | undefined

/**
 * Makes `directory` a data directory: a copy of one that this process has made before, where that makes no difference. To
 * migrate an empty database takes longer than most tests.
 */
export const prepareData = async (
  directory: string,
  { environment = {}, settings = {}, isForeign = false, hasRealHashes = false }: DataOptions,
): Promise<void> => {
  const isAlike =
    !isForeign &&
    !hasRealHashes &&
    !firstStartVariables.some((name) => environment[name] !== undefined) &&
    !firstStartSettings.some((name) => settings[name] !== undefined)
  if (isAlike) cpSync(await (template ??= createTemplate()), directory, { recursive: true })
  else
    openInstallation({ ROLLCALL_ADMIN_PASSWORD: adminPassword, ...environment, DATA_DIR: directory }, { create: true })
}
