import type { Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameArgument } from './options.js'
import { toList } from './table.js'
import { registerTenantFactors } from './required-factors.js'

interface MethodOptions {
  disable?: string[]
  enable?: string[]
  json?: boolean
}

const registerTenantMethods = (tenant: Command): void => {
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

export const registerTenant = (program: Command): void => {
  const tenant = program.command('tenant').description('add, list, rename, enable and disable tenants')

  tenant
    .command('add')
    .description('add a tenant')
    .addArgument(nameArgument('<name>'))
    .addOption(jsonOption())
    .action(async (name: string, options: { json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.management.tenants.add(operatorActor(), { name })
        report(options, { id, name }, `Added tenant ${name} (id ${id}).`)
      })
    })

  for (const [command, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    tenant
      .command(command)
      .description(enabled ? 'let the users of a tenant sign in again' : 'refuse all its users; ends their sessions')
      .addArgument(nameArgument('<id|name>'))
      .addOption(jsonOption())
      .action(async (text: string, options: { json?: boolean }) => {
        await withInstalledApp(async (app) => {
          const { id, name } = await app.accounts.findTenantNamed(text)
          await app.management.tenants.edit(operatorActor(), id, { enabled })
          report(options, { id, name, enabled }, `Tenant ${name} is ${command}d.`)
        })
      })
  }

  tenant
    .command('rename')
    .description('give a tenant another name')
    .addArgument(nameArgument('<id|name>'))
    .addArgument(nameArgument('<new name>'))
    .addOption(jsonOption())
    .action(async (text: string, name: string, options: { json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const before = await app.accounts.findTenantNamed(text)
        await app.management.tenants.edit(operatorActor(), before.id, { name })
        report(options, { id: before.id, name }, `Tenant ${before.name} is now named ${name}.`)
      })
    })

  registerTenantMethods(tenant)
  registerTenantFactors(tenant)

  tenant
    .command('list')
    .description('list the tenants')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const tenants = await app.db.tenants.list()
        const lines = toList(
          ['id', 'name', 'status'],
          tenants.map(({ id, name, enabled }) => [id, name, ...(enabled ? [] : ['disabled'])]),
        )
        report(
          options,
          tenants.map(({ id, name, enabled }) => ({ id, name, enabled })),
          lines.join('\n'),
        )
      })
    })
}
