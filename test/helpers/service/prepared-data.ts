import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { Test } from 'tap'
import rollcall, { openInstallation } from '../../../app.js'
import { createClock } from '../values/clock.js'
import { databaseUrlOf, isOnPostgres } from '../databases/database.js'
import { openData, type DataOptions, type Plain } from './open-data.js'
import { adminPassword } from './passwords.js'
import { borrowPostgres, createLastingPostgres, createPostgres, keepContent, urlOf } from '../databases/postgres.js'

export { openData, type Plain }

const setDatabaseUrl = (directory: string, databaseUrl: string): void => {
  const file = join(directory, 'config.json')
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as Plain), databaseUrl }))
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** What a first start makes depends on these; a server that has one of them makes its own. */
const firstStartVariables = ['ROLLCALL_SECRET', 'ROLLCALL_ADMIN_PASSWORD', 'DATABASE_URL']
const firstStartSettings = ['databaseUrl', 'passwords', 'serviceName']

/** A data directory as the first start leaves it. */
const createTemplate = async (): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-template-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const environment = { DATA_DIR: directory, ROLLCALL_ADMIN_PASSWORD: adminPassword }
  if (isOnPostgres) {
    openInstallation(environment, { create: true })
    setDatabaseUrl(directory, urlOf(await createLastingPostgres()))
  }
  const installation = openData(environment, {})
  // A slow machine takes its time.
  const app = Fastify({ pluginTimeout: 0 })
  await app.register(rollcall, { installation, clock: createClock(), answering: false })
  await app.ready()
  await app.close()
  if (isOnPostgres) await keepContent(nameOf(databaseUrlOf(directory)))
  return directory
}

let template: Promise<string> | undefined
const findTemplate = () => (template ??= createTemplate())

/** On PostgreSQL, gives `directory` a database for this test: as after a first start, or empty. A file it has already. */
const borrowDatabase = async (t: Test, directory: string, isEmpty: boolean): Promise<void> => {
  if (!isOnPostgres) return
  const url = databaseUrlOf(await findTemplate())
  setDatabaseUrl(directory, await borrowPostgres(t, nameOf(url), isEmpty))
}

/** Makes `directory` a copy of the data directory `data`, with a copy of its database unless `environment` names another one. */
export const copyData = async (
  t: Test,
  data: string,
  directory: string,
  { environment = {} }: Pick<DataOptions, 'environment'>,
): Promise<void> => {
  cpSync(data, directory, { recursive: true })
  const url = databaseUrlOf(directory)
  if (environment['DATABASE_URL'] !== undefined || url.startsWith('sqlite:')) return
  setDatabaseUrl(directory, await createPostgres(t, nameOf(url)))
}

/**
 * Makes `directory` a data directory: a copy of one that this process has made before, where that makes no difference. To
 * migrate an empty database takes longer than most tests.
 */
export const prepareData = async (
  t: Test,
  directory: string,
  { environment = {}, settings = {}, isForeign = false, hasRealHashes = false }: DataOptions,
): Promise<void> => {
  const isAlike =
    !isForeign &&
    !hasRealHashes &&
    !firstStartVariables.some((name) => environment[name] !== undefined) &&
    !firstStartSettings.some((name) => settings[name] !== undefined)
  if (isAlike) cpSync(await findTemplate(), directory, { recursive: true })
  else
    openInstallation({ ROLLCALL_ADMIN_PASSWORD: adminPassword, ...environment, DATA_DIR: directory }, { create: true })
  await borrowDatabase(t, directory, !isAlike)
}
