import type { Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameArgument } from './options.js'
import { toList } from './table.js'

interface MethodOptions {
  disable?: string[]
  enable?: string[]
  json?: boolean
}

export const registerTenantMethods = (tenant: Command): void => {
  tenant
    .command('methods')
    .description('list, disable and enable the sign-in methods of a tenant, with immediate effect')
    .addArgument(nameArgument('<id|name>'))
    .option('--disable <method...>', 'methods to disable, such as phone_captcha')
    .option('--enable <method...>', 'methods to enable again')
    .addOption(jsonOption())
    .action(async (text: string, options: MethodOptions) => {
      await withInstalledApp(async (app) => {
        const { id, name } = await app.accounts.findTenantNamed(text)
        const { disable = [], enable = [] } = options
        const methods = await app.management.changeMethods(operatorActor(), id, { disable, enable })
        const lines = toList(
          ['method', 'status'],
          methods.map(({ authType, enabled }) => [authType, ...(enabled ? [] : ['disabled'])]),
        )
        report(options, { id, name, methods }, lines.join('\n'))
      })
    })
}
