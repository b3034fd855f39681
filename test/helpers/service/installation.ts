import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { ConfigurationError, openInstallation, settingsReader } from '../../../app.js'
import { emptyDirectory } from '../processes/child.js'

/** What must never stand in a message. */
export const secret = 'an-environment-secret-of-many-characters'
export const password = 'the password of the administrator'

/** Content of config.json, before it is checked. */
export type Content = Record<string, any>

/** A data directory whose config.json `edit` has changed; it gets what the first start wrote and returns the new content. */
export const installed = (t: Test, edit?: (all: Content) => unknown): string => {
  const directory = emptyDirectory(t)
  openInstallation({ DATA_DIR: directory }, { create: true })
  const path = join(directory, 'config.json')
  if (edit) writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')) as Content)))
  return directory
}

/** The error with which opening is refused. */
export const refusal = (t: Test, variables: NodeJS.ProcessEnv, options = { create: true }): ConfigurationError => {
  try {
    openInstallation({ ROLLCALL_ADMIN_PASSWORD: password, ...variables }, options)
  } catch (error) {
    t.ok(error instanceof ConfigurationError, `a ConfigurationError, not ${String(error)}`)
    if (error instanceof ConfigurationError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** The dotted paths of all settings of the schema. */
export const settingPaths = (schema: unknown = settingsReader.schema, path: string[] = []): string[] => {
  const { properties } = schema as { properties?: Record<string, unknown> }
  return properties
    ? Object.entries(properties).flatMap(([name, inner]) => settingPaths(inner, [...path, name]))
    : [path.join('.')]
}
