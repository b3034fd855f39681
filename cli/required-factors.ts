import { Option, type Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameArgument, tenantId, tenantOption } from './options.js'

interface PolicyOptions {
  required?: boolean
  optional?: boolean
  tenant?: string
  json?: boolean
}

const policyOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--required',
        'require a second factor, to be set up within secondFactor.graceDays days of the next sign-in',
      ).conflicts('optional'),
    )
    .option('--optional', 'no longer require one here; the setting and other roles may still do')
    .addOption(jsonOption())
    .hook('preAction', () => {
      const { required, optional } = command.opts<PolicyOptions>()
      if (required === undefined && optional === undefined)
        command.error('error: name --required or --optional', { exitCode: 2 })
    })

const wordOf = (isRequired: boolean) => (isRequired ? 'required' : 'not required')

export const registerTenantFactors = (tenant: Command): void => {
  policyOptions(tenant.command('factors'))
    .description('require a second factor of the users of a tenant')
    .addArgument(nameArgument('<id|name>'))
    .action(async (text: string, { required = false, ...options }: PolicyOptions) => {
      await withInstalledApp(async (app) => {
        const { id, name } = await app.accounts.findTenantNamed(text)
        await app.management.tenants.edit(operatorActor(), id, { secondFactorRequired: required })
        const done = { id, name, secondFactorRequired: required }
        report(options, done, `A second factor is ${wordOf(required)} in the tenant ${name}.`)
      })
    })
}

export const registerRoleFactors = (role: Command): void => {
  policyOptions(role.command('factors'))
    .description('require a second factor of the users with a role')
    .addArgument(nameArgument('<key>'))
    .addOption(tenantOption())
    .action(async (key: string, { required = false, ...options }: PolicyOptions) => {
      await withInstalledApp(async (app) => {
        const tenant = await tenantId(app, options.tenant)
        await app.accounts.findRole(key, tenant)
        const changes = { secondFactorRequired: required }
        const { id } = await app.management.roles.edit(operatorActor(), { key, tenantId: tenant }, changes)
        const done = { id, key, secondFactorRequired: required }
        report(options, done, `A second factor is ${wordOf(required)} of users with the role ${key}.`)
      })
    })
}
