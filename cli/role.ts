import { countOf } from '../lib/count-of.js'
import type { Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameArgument, nameOption, pageOption, pageSizeOption, tenantId, tenantOption } from './options.js'
import { confirm, destroys, type YesOption } from './prompt.js'
import { registerRoleFactors } from './required-factors.js'
import { toList } from './table.js'

interface RoleOptions {
  name?: string
  tenant?: string
  json?: boolean
}

/** Tells permissions that open nothing of the service and look like one of it: they may be those of an application. */
const tellUnknown = async (permissions: string[]): Promise<void> => {
  const { nearestOwnPermission } = await import('../lib/nearest-permission.js')
  for (const permission of permissions) {
    const nearest = nearestOwnPermission(permission)
    if (nearest !== undefined)
      process.stderr.write(`Rollcall has no permission ${permission}. Did you mean ${nearest}?\n`)
  }
}

const examples = 'such as system:user:list; * stands for any segment'

const add = (role: Command) =>
  role
    .command('add')
    .description('add a role')
    .addArgument(nameArgument('<key>', 'short name, such as editor'))
    .argument('[permissions...]', examples)
    .addOption(nameOption('--name <name>', 'name for people; absent means the key'))
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (key: string, permissions: string[], options: RoleOptions) => {
      await withInstalledApp(async (app) => {
        const wanted = { key, name: options.name, permissions, tenantId: await tenantId(app, options.tenant) }
        const { id } = await app.management.roles.add(operatorActor(), wanted)
        if (!options.json) await tellUnknown(permissions)
        report(options, { id, key, permissions }, `Added role ${key} (id ${id}).`)
      })
    })

const list = (role: Command) =>
  role
    .command('list')
    .description('list roles with their permissions')
    .addOption(tenantOption('only roles of this tenant'))
    .addOption(pageOption())
    .addOption(pageSizeOption())
    .addOption(jsonOption())
    .action(async (options: RoleOptions & { page: number; pageSize: number }) => {
      await withInstalledApp(async (app) => {
        const query = {
          tenantId: await tenantId(app, options.tenant),
          pageNum: options.page,
          pageSize: options.pageSize,
        }
        const found = await app.management.roles.page(operatorActor(), query)
        const lines = toList(
          ['id', 'tenant', 'key', 'name', 'permissions'],
          found.records.map((row) => [
            ...[row.id, `tenant ${row.tenantId}`, row.key, row.name],
            row.permissions.join(' '),
          ]),
        )
        const more = `page ${found.current} of ${found.pages}, ${countOf(found.total, 'role')}`
        report(options, found, [...lines, more].join('\n'))
      })
    })

const remove = (role: Command) =>
  destroys(role.command('delete'))
    .description('delete a role, also from its users, with immediate effect')
    .addArgument(nameArgument('<key>'))
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (key: string, options: RoleOptions & YesOption) => {
      await withInstalledApp(async (app) => {
        const tenant = await tenantId(app, options.tenant)
        await app.accounts.findRole(key, tenant)
        await confirm(options, `Delete the role ${key}, also from its users?`)
        await app.management.roles.delete(operatorActor(), { key, tenantId: tenant })
        report(options, { key }, `Deleted role ${key}.`)
      })
    })

/** Commands that change the permissions of a role. */
const changes = {
  grant: {
    description: 'give a role further permissions, with immediate effect',
    change: (before: string[], named: string[]) => [...new Set([...before, ...named])],
    done: 'now also has',
  },
  revoke: {
    description: 'take permissions from a role, with immediate effect',
    change: (before: string[], named: string[]) => before.filter((permission) => !named.includes(permission)),
    done: 'no longer has',
  },
}

const change = (role: Command, name: keyof typeof changes) =>
  role
    .command(name)
    .description(changes[name].description)
    .addArgument(nameArgument('<key>'))
    .argument('<permissions...>', examples)
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (key: string, permissions: string[], options: RoleOptions) => {
      await withInstalledApp(async (app) => {
        const tenant = await tenantId(app, options.tenant)
        app.accounts.checkRole({ permissions })
        await app.accounts.findRole(key, tenant)
        const changed = await app.management.roles.edit(operatorActor(), { key, tenantId: tenant }, (before) => ({
          permissions: changes[name].change(before, permissions),
        }))
        if (!options.json) await tellUnknown(permissions)
        report(
          options,
          { id: changed.id, key, permissions: changed.permissions },
          `Role ${key} ${changes[name].done} ${permissions.join(', ')}.`,
        )
      })
    })

/** Commands that change the roles of a user. */
const assignments = {
  assign: {
    description: 'give a user a role, with immediate effect',
    change: (before: string[], key: string) => [...new Set([...before, key])],
    done: 'now has',
  },
  unassign: {
    description: 'take a role from a user, with immediate effect',
    change: (before: string[], key: string) => before.filter((known) => known !== key),
    done: 'no longer has',
  },
}

const assign = (role: Command, name: keyof typeof assignments) =>
  role
    .command(name)
    .description(assignments[name].description)
    .addArgument(nameArgument('<key>'))
    .addArgument(nameArgument())
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (key: string, username: string, options: RoleOptions) => {
      await withInstalledApp(async (app) => {
        const tenant = await tenantId(app, options.tenant)
        await app.accounts.findRole(key, tenant)
        const { id } = await app.accounts.findUser(username, tenant)
        await app.management.setRoles(operatorActor(), id, (before) => assignments[name].change(before, key))
        report(
          options,
          { userId: id, username, role: key },
          `User ${username} ${assignments[name].done} the role ${key}.`,
        )
      })
    })

export const registerRole = (program: Command): void => {
  const role = program.command('role').description('list, add, change and delete roles; assign them to users')
  list(role)
  add(role)
  change(role, 'grant')
  change(role, 'revoke')
  assign(role, 'assign')
  assign(role, 'unassign')
  registerRoleFactors(role)
  remove(role)
}
