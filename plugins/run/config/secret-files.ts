import { readFileSync, statSync } from 'node:fs'
import { readSecretText } from '../../../lib/secret-text.js'
import type { Fault } from './settings.js'
import { fileVariableOf, readVariable, secretNames } from './variables.js'

/** The variables of a process after the files that they name have been read. */
export interface ReadVariables {
  variables: NodeJS.ProcessEnv
  /** The files by the variable whose value they hold. */
  files: ReadonlyMap<string, string>
  faults: Fault[]
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read by the user of the service',
  EPERM: 'cannot be read by the user of the service',
}

/** The text of a file of a secret, or what is wrong with the file, never with a word of what it contains. */
const readSecretFile = (path: string): { text: string } | { fault: string } => {
  try {
    if (statSync(path).isDirectory()) return { fault: 'is a folder; it must be a file that has only the value' }
    const text = readSecretText(readFileSync(path, 'utf8'))
    return text.trim() === '' ? { fault: 'is empty' } : { text }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return { fault: reasons[code] ?? `cannot be read: ${code === '' ? message : code}` }
  }
}

/**
 * Reads the files that `NAME_FILE` names for each variable that holds a secret or an address with one. The value is that of the file without
 * the line end and the byte order mark. Both variables at once, or a file that is missing, empty, a folder or unreadable, are faults.
 */
export const readSecretFiles = (given: NodeJS.ProcessEnv): ReadVariables => {
  const variables = { ...given }
  const files = new Map<string, string>()
  const faults: Fault[] = []
  for (const name of secretNames) {
    const variable = fileVariableOf(name)
    const path = readVariable(given, variable)?.trim()
    if (path === undefined) continue
    const fault = (message: string) => faults.push({ name: variable, source: path, message })
    if (readVariable(given, name) !== undefined) {
      fault(`is set, and so is ${name}; set one of the two`)
      continue
    }
    const read = readSecretFile(path)
    if ('fault' in read) fault(read.fault)
    else {
      variables[name] = read.text
      files.set(name, path)
    }
  }
  return { variables, files, faults }
}
