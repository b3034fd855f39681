import { accessSync, constants, existsSync, statSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Installation } from '../../app.js'
import { databaseFile } from '../../db/engines.js'
import { checkTemporaryFolder } from '../../lib/temporary-folder.js'
import { findingsOf, type Finding } from './finding.js'

const { ok, warning, fault } = findingsOf('paths')
const space = findingsOf('free space')

const megabyte = 1e6
/** Free space below which the service soon refuses to write, and below which it is time to act. Bytes. */
const tooLittle = 100 * megabyte
const little = 1000 * megabyte

/** Bits of a mode that let users other than the owner use a file, or put another file into a directory. */
const others = { file: 0o077, directory: 0o022 }

const checkAccess = (path: string): Finding[] => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return []
  } catch {
    return [
      fault(
        `this user cannot read and write ${path}`,
        'Run the command as the user of the service, or change the owner.',
      ),
    ]
  }
}

const checkMode = (path: string, kind: keyof typeof others): Finding[] => {
  // Windows has no such modes.
  if (process.platform === 'win32' || (statSync(path).mode & others[kind]) === 0) return []
  const advice = `Run chmod ${kind === 'file' ? 600 : 700} ${path}.`
  return [fault(`other users of this machine can ${kind === 'file' ? 'use' : 'change'} ${path}`, advice)]
}

export const checkPaths = ({ directory, settings, secretSource }: Installation): Finding[] => {
  const database = databaseFile(settings.databaseUrl, directory)
  const files = [
    join(directory, 'secret'),
    join(directory, 'config.json'),
    ...(database === undefined ? [] : [database]),
  ]
  const found = [
    ...checkAccess(directory),
    ...checkMode(directory, 'directory'),
    ...files.filter((file) => existsSync(file)).flatMap((file) => [...checkAccess(file), ...checkMode(file, 'file')]),
  ]
  if (secretSource !== join(directory, 'secret') && existsSync(join(directory, 'secret'))) {
    found.push(
      warning(
        `${secretSource} is set, so ${join(directory, 'secret')} is not used`,
        'Remove the file, so that nobody takes it for the master secret in use.',
      ),
    )
  }
  return found.length > 0 ? found : [ok(`only this user can use the files in ${directory}`)]
}

/** Space for the database and for what commands need beside it: a restore keeps both databases for a time. */
export const checkSpace = ({ directory, settings }: Installation): Finding[] => {
  const database = databaseFile(settings.databaseUrl, directory)
  const size = database !== undefined && existsSync(database) ? statSync(database).size : 0
  const place = database !== undefined && size > 0 ? dirname(database) : directory
  const { bavail, bsize } = statfsSync(place)
  const free = bavail * bsize
  const message = `${Math.floor(free / megabyte)} MB are free in ${place}; the database has ${Math.ceil(size / megabyte)} MB`
  if (free < tooLittle)
    return [space.fault(message, 'Free some space: the service cannot write when the disk is full.')]
  if (free < Math.max(little, size)) return [space.warning(message, 'Free some space, or move the data directory.')]
  return [space.ok(message)]
}

/** Imports of users wait in temporary files. */
export const checkTemporaryFiles = async (): Promise<Finding[]> => {
  await checkTemporaryFolder()
  return [findingsOf('temporary files').ok(`they can be written in ${tmpdir()}`)]
}
