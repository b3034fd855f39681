import type { Command } from 'commander'
import { report, withInstalledApp } from './context.js'
import { jsonOption, tenantId, tenantOption } from './options.js'

interface RoleOptions {
  name?: string
  tenant?: string
  json?: boolean
}

export const registerRole = (program: Command): void => {
  const role = program.command('role').description('add roles, grant permissions, assign roles to users')

  role
    .command('add')
    .description('add a role')
    .argument('<key>', 'short name, such as editor')
    .argument('[permissions...]', 'such as system:user:list; * stands for any segment')
    .option('--name <name>', 'name for people; absent means the key')
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (key: string, permissions: string[], options: RoleOptions) => {
      await withInstalledApp(async (app) => {
        const tenant = await tenantId(app, options.tenant)
        const { id } = await app.accounts.addRole(key, options.name ?? key, permissions, tenant)
        report(options, { id, key, permissions }, `Added role ${key} (id ${id}).`)
      })
    })

  role
    .command('grant')
    .description('give a role further permissions, with immediate effect')
    .argument('<key>')
    .argument('<permissions...>', 'such as system:user:list; * stands for any segment')
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (key: string, permissions: string[], options: RoleOptions) => {
      await withInstalledApp(async (app) => {
        const { id } = await app.accounts.grant(key, permissions, await tenantId(app, options.tenant))
        report(options, { id, key, permissions }, `Role ${key} now also has ${permissions.join(', ')}.`)
      })
    })

  role
    .command('assign')
    .description('give a user a role, with immediate effect')
    .argument('<key>')
    .argument('<username>')
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (key: string, username: string, options: RoleOptions) => {
      await withInstalledApp(async (app) => {
        const { user } = await app.accounts.assign(key, username, await tenantId(app, options.tenant))
        report(options, { userId: user.id, username, role: key }, `User ${username} now has the role ${key}.`)
      })
    })
}
