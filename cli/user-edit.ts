import { InvalidArgumentError, type Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { report, withInstalledApp } from './context.js'
import { cleanCopied } from '../lib/copied-text.js'
import { jsonOption, nameArgument, tenantId, tenantOption } from './options.js'
import { userTypeOption, userTypeOf } from './user-type.js'

interface EditOptions {
  tenant?: string
  rename?: string
  realName?: string
  phone?: string
  email?: string
  remark?: string
  type?: string
  json?: boolean
}

/** An empty text clears the value. */
const cleared = (text: string | undefined) => (text === '' ? null : text)
const readName = (text: string): string => {
  const name = cleanCopied(text)
  if (name === '') throw new InvalidArgumentError('It must not be empty.')
  return name
}

export const registerUserEdit = (user: Command): void => {
  user
    .command('edit')
    .description("change a user; '' clears a phone number, an e-mail address or a remark")
    .addArgument(nameArgument())
    .option('--rename <name>', 'new user name', readName)
    .option('--real-name <name>', 'name of the person', readName)
    .option('--phone <number>', 'phone number')
    .option('--email <address>', 'e-mail address')
    .option('--remark <text>', 'note for administrators')
    .addOption(userTypeOption())
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (username: string, options: EditOptions, command: Command) => {
      const { rename, realName, type } = options
      const { phone, email, remark } = options
      if ([rename, realName, type, phone, email, remark].every((value) => value === undefined))
        command.error('error: nothing to change: name at least one option', { exitCode: 2 })
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        const changed = await app.management.edit(operatorActor(), id, {
          username: rename,
          realName,
          userType: type === undefined ? undefined : await userTypeOf(type),
          phone: cleared(phone),
          email: cleared(email),
          remark: cleared(remark),
        })
        report(options, changed, `Changed user ${changed.username} (id ${id}).`)
      })
    })
}
