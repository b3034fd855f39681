import { Option, type Command } from 'commander'
import type { FastifyInstance } from 'fastify'

export const jsonOption = () => new Option('--json', 'print one JSON value instead of a sentence')
export const tenantOption = () => new Option('--tenant <id|name>', 'the tenant; absent means the default tenant')
export const passwordOption = () => new Option('--password-stdin', 'read the password from standard input')

/** Adds a required option. Unlike commander's own, it is checked after misspelt options, which are reported first. */
export const requireOption = (command: Command, option: Option): Command =>
  command.addOption(option).hook('preAction', () => {
    if (command.getOptionValue(option.attributeName()) !== undefined) return
    command.error(`error: required option '${option.flags}' not specified`, { exitCode: 2 })
  })

/** The id of the tenant that an option names by id or by name; undefined for the default tenant. */
export const tenantId = async (app: FastifyInstance, text: string | undefined): Promise<number | undefined> => {
  return text === undefined ? undefined : (await app.accounts.findTenantNamed(text)).id
}
