import type { Command } from 'commander'
import { report, withInstalledApp } from './context.js'
import { jsonOption } from './options.js'

export const registerTenant = (program: Command): void => {
  const tenant = program.command('tenant').description('add and list tenants')

  tenant
    .command('add')
    .description('add a tenant')
    .argument('<name>')
    .addOption(jsonOption())
    .action(async (name: string, options: { json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.addTenant(name)
        report(options, { id, name }, `Added tenant ${name} (id ${id}).`)
      })
    })

  tenant
    .command('list')
    .description('list the tenants')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const tenants = await app.accounts.listTenants()
        const lines = tenants.map(({ id, name, enabled }) => `${id}\t${name}${enabled ? '' : '\tdisabled'}`)
        report(
          options,
          tenants.map(({ id, name, enabled }) => ({ id, name, enabled })),
          lines.join('\n'),
        )
      })
    })
}
