import { Option, type Command } from 'commander'
import type { FastifyInstance } from 'fastify'

export const jsonOption = () => new Option('--json', 'print one JSON value instead of a sentence')
export const tenantOption = () => new Option('--tenant <id|name>', 'the tenant; absent means the default tenant')
export const passwordOption = () => new Option('--password-stdin', 'read the password from standard input')

/** Adds an option that must be there. Unlike commander's own, it leaves the first word to misspelt options. */
export const requireOption = (command: Command, option: Option): Command =>
  command.addOption(option).hook('preAction', () => {
    if (command.getOptionValue(option.attributeName()) !== undefined) return
    command.error(`error: required option '${option.flags}' not specified`, { exitCode: 2 })
  })

/** The id of the tenant that an option names by number or by name; undefined for the default tenant. */
export const tenantId = async (app: FastifyInstance, text: string | undefined): Promise<number | undefined> => {
  return text === undefined ? undefined : (await app.accounts.findTenantNamed(text)).id
}
