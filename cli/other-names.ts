import type { Command } from 'commander'

/** What other programs call some commands, and what they are called here. A spelling error is commander's to find. */
const otherNames: Record<string, Record<string, string>> = {
  user: {
    'set-password': 'passwd',
    'reset-password': 'passwd',
    'change-password': 'passwd',
    password: 'passwd',
    create: 'add',
    new: 'add',
    remove: 'delete',
    rm: 'delete',
    get: 'show',
    info: 'show',
    update: 'edit',
    modify: 'edit',
    block: 'disable',
    unblock: 'enable',
    search: 'list',
    ls: 'list',
  },
  role: { create: 'add', new: 'add', remove: 'delete', rm: 'delete', ls: 'list' },
  tenant: { create: 'add', new: 'add', ls: 'list' },
  session: { ls: 'list', kill: 'end', revoke: 'end' },
  identity: { ls: 'list', delete: 'remove', rm: 'remove' },
  keys: { ls: 'list' },
}

/** Refuses what other programs call a command, as any unknown command, and names the command of this one. */
export const refuseOtherNames = (program: Command): void => {
  for (const noun of program.commands) {
    for (const [other, name] of Object.entries(otherNames[noun.name()] ?? {})) {
      noun
        .command(other, { hidden: true })
        .helpOption(false)
        .allowUnknownOption()
        .allowExcessArguments()
        .action(() =>
          noun.error(`error: unknown command '${other}'\n(Did you mean ${name}?)`, {
            code: 'commander.unknownCommand',
          }),
        )
    }
  }
}
