import { Argument, InvalidArgumentError, Option, type Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { cleanCopied } from '../lib/copied-text.js'
import { OperatorError } from '../lib/operator-error.js'
import { readSecretText } from '../lib/secret-text.js'
import { readSecretFiles } from '../plugins/run/config/secret-files.js'
import { fileVariableOf, readVariable } from '../plugins/run/config/variables.js'

export const jsonOption = () => new Option('--json', 'print one JSON value instead of a sentence')
export const tenantOption = (description = 'the tenant; absent means the default tenant') =>
  nameOption('--tenant <id|name>', description)
export const passwordOption = () => new Option('--password-stdin', 'read the password from standard input')

export const nameArgument = (flags = '<username>', description?: string) =>
  new Argument(flags, description).argParser(cleanCopied)
export const nameOption = (flags: string, description: string) => new Option(flags, description).argParser(cleanCopied)

/** What the options of `ofUser` give. */
export interface OfUser {
  tenant?: string
  json?: boolean
}

/** Adds the name of a user as an argument, and the options `--tenant` and `--json`. */
export const ofUser = (command: Command): Command =>
  command.addArgument(nameArgument()).addOption(tenantOption()).addOption(jsonOption())

/** Makes an option of the command required. Unlike commander's own, it is checked after misspelt options, which are reported first. */
const requireValue = (command: Command, option: Option): Command =>
  command.hook('preAction', () => {
    if (command.getOptionValue(option.attributeName()) !== undefined) return
    command.error(`error: required option '${option.flags}' not specified`, { exitCode: 2 })
  })

/** Adds a required option. */
export const requireOption = (command: Command, option: Option): Command =>
  requireValue(command.addOption(option), option)

/** The value of a secret variable, or of the file that `NAME_FILE` names. Throws an `OperatorError` for a file that cannot be read. */
export const readSecretVariable = (variable: string): string | undefined => {
  const { variables, faults } = readSecretFiles(process.env)
  const fault = faults.find(({ name }) => name === fileVariableOf(variable))
  if (fault) throw new OperatorError(`${fault.name} (${fault.source}): ${fault.message}. Nothing has been changed.`)
  return readVariable(variables, variable)
}

/** Adds an option for a secret, which belongs in a variable or in a file: arguments can be seen by every process of the machine. */
export const secretOption = (command: Command, option: Option, variable: string): Command =>
  command.addOption(option.env(variable).argParser(readSecretText)).hook('preAction', () => {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) === 'cli') return
    const value = readSecretVariable(variable)
    if (value !== undefined) command.setOptionValueWithSource(name, readSecretText(value), 'env')
  })

/** The same for a required one. */
export const requireSecretOption = (command: Command, option: Option, variable: string): Command =>
  requireValue(secretOption(command, option, variable), option)

/** The id of the tenant that an option names by id or by name; undefined for the default tenant. */
export const tenantId = async (app: FastifyInstance, text: string | undefined): Promise<number | undefined> => {
  return text === undefined ? undefined : (await app.accounts.findTenantNamed(text)).id
}

/** Reads a number from 1 to `maximum`, which has at most nine digits. */
export const readNumber =
  (maximum: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
    if (number < 1 || number > maximum) throw new InvalidArgumentError(`It must be a number from 1 to ${maximum}.`)
    return number
  }
export const pageOption = () =>
  new Option('--page <number>', 'page of the list').argParser(readNumber(999_999_999)).default(1)
export const pageSizeOption = () =>
  new Option('--page-size <count>', 'rows of a page').argParser(readNumber(100)).default(50)
