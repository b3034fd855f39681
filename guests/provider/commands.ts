import { Option } from 'commander'
import {
  jsonOption,
  nameArgument,
  nameOption,
  readNumber,
  requireOption,
  tenantId,
  tenantOption,
} from '../../cli/options.js'
import { confirm, destroys, type YesOption } from '../../cli/prompt.js'
import { toList } from '../../cli/table.js'
import { operatorActor } from '../../lib/actor.js'
import { countOf } from '../../lib/count-of.js'
import { OperatorError } from '../../lib/operator-error.js'
import { toTime } from '../../lib/time-text.js'
import { defaultTenantId } from '../../schemas/login.js'
import type { RegisterCommands } from '../guest.js'
import { settingsOf, withSettings, type SettingOptions } from './client-options.js'
import { describe, shown } from './client-text.js'
import type { NewClient } from './clients/clients.js'
import { clientTypes, presets } from './clients/settings.js'
import type { Client } from './repositories/clients.js'
import type {} from './service.js'

interface AddOptions extends SettingOptions {
  id?: string
  type: NewClient['type']
  tenant?: string
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What differs between a client that is there and the one that is wanted, by the names of the settings. */
const differences = (present: Client, wanted: NewClient): string[] =>
  (Object.keys(wanted) as (keyof NewClient)[]).filter((name) => !isSame(present[name], wanted[name]))

const registerClients: RegisterCommands = (program, { report, withInstalledApp }) => {
  const client = program.command('client').description('applications that sign people in here (OpenID Connect)')

  client
    .command('list')
    .description('list the applications')
    .addOption(tenantOption('only those of this tenant; absent means all'))
    .addOption(jsonOption())
    .action(async (options: { tenant?: string; json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const found = await app.applications.list(await tenantId(app, options.tenant))
        const lines = toList(
          ['id', 'name', 'type', 'tenant', 'last refusal'],
          found.map((one) => [
            one.id,
            one.name,
            one.type,
            String(one.tenantId),
            one.lastError ? toTime(one.lastError.time) : '',
          ]),
        )
        report(
          options,
          found.map(shown),
          lines.length > 0 ? lines.join('\n') : 'No applications. rollcall client add adds one.',
        )
      })
    })

  client
    .command('show')
    .description('show an application, and what was refused it last')
    .addArgument(nameArgument('<id>'))
    .addOption(jsonOption())
    .action(async (id: string, options: { json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const found = await app.applications.find(id)
        const pending = await app.db.providerLogouts.pendingOf(id)
        const waiting = pending === 0 ? '' : `\n${'waits to be told'.padEnd(22)}of ${countOf(pending, 'sign-out')}`
        report(options, { ...shown(found), pendingLogouts: pending }, describe(found) + waiting)
      })
    })

  requireOption(
    withSettings(client.command('add').description('add an application; prints its secret, this once')),
    nameOption('--name <text>', 'what people know it by'),
  )
    .addOption(nameOption('--id <text>', 'its id; absent means a random one'))
    .addOption(
      new Option('--type <type>', 'confidential: a server; public: scripts in a browser; native: an app on a device')
        .choices(clientTypes)
        .default('confidential'),
    )
    .addOption(tenantOption('the tenant that it belongs to; absent means the default tenant'))
    .action(async (options: AddOptions) => {
      await withInstalledApp(async (app) => {
        const { settings, access } = await settingsOf(app, options)
        const { redirectUris } = settings
        if (!redirectUris) throw new OperatorError('Give at least one --redirect-uri: where people are sent back to.')
        const tenant = (await tenantId(app, options.tenant)) ?? defaultTenantId
        const wanted: NewClient = {
          ...presets,
          ...settings,
          ...{ redirectUris, name: options.name ?? '', type: options.type, tenantId: tenant },
          access: { ...presets.access, ...access },
          ...(options.id !== undefined && { id: options.id }),
        }
        const present = options.id === undefined ? undefined : await app.db.providerClients.find(options.id)
        if (present) {
          const different = differences(present, wanted)
          if (different.length > 0)
            throw new OperatorError(
              `There is an application ${present.id} already, with another ${different.join(', ')}. rollcall client edit changes it. Nothing has been changed.`,
            )
          report(
            options,
            { ...shown(present), isNew: false },
            `The application ${present.id} is there already, as asked.`,
          )
          return
        }
        const { client: added, secret } = await app.applications.add(operatorActor(), wanted)
        const { issuer } = app.installation.settings
        const base = issuer.includes('://') ? issuer : 'the setting issuer, which has to be the address of the service'
        report(
          options,
          { ...shown(added), isNew: true, ...(secret !== undefined && { secret }) },
          [
            `Added the application ${added.name}. It needs:`,
            `  issuer         ${base}`,
            `  client id      ${added.id}`,
            ...(secret === undefined ? [] : [`  client secret  ${secret}`, 'The secret is shown this once.']),
          ].join('\n'),
        )
      })
    })

  withSettings(client.command('edit').description('change what is given'))
    .addArgument(nameArgument('<id>'))
    .addOption(nameOption('--name <text>', 'what people know it by'))
    .action(async (id: string, options: SettingOptions) => {
      await withInstalledApp(async (app) => {
        const { settings, access } = await settingsOf(app, options)
        if (Object.keys(settings).length === 0 && Object.keys(access).length === 0)
          throw new OperatorError('Nothing to change: rollcall client edit --help lists what can be.')
        const before = await app.applications.find(id)
        const changed = await app.applications.change(operatorActor(), id, {
          ...settings,
          access: { ...before.access, ...access },
        })
        report(options, shown(changed), `Changed the application ${changed.name}.`)
      })
    })

  client
    .command('secret')
    .description('make a new secret; prints it, this once')
    .addArgument(nameArgument('<id>'))
    .addOption(
      new Option('--overlap-days <number>', 'how long the secret of before is taken, too')
        .argParser(readNumber(90))
        .default(0, 'not at all'),
    )
    .addOption(jsonOption())
    .action(async (id: string, options: { overlapDays: number; json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const secret = await app.applications.renewSecret(operatorActor(), id, options.overlapDays)
        // The secret alone on the standard output, for scripts that keep it.
        report(options, { id, secret }, secret)
      })
    })

  destroys(client.command('delete'))
    .description('delete an application with all its tokens')
    .addArgument(nameArgument('<id>'))
    .addOption(jsonOption())
    .action(async (id: string, options: YesOption & { json?: boolean }) => {
      await withInstalledApp(async (app) => {
        const { name } = await app.applications.find(id)
        await confirm(options, `Delete the application ${name}? Nobody can sign in to it any more.`)
        await app.applications.remove(operatorActor(), id)
        report(options, { id, name }, `Deleted the application ${name}.`)
      })
    })
}

export default registerClients
