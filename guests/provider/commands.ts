import { Option, type Command } from 'commander'
import type { FastifyInstance } from 'fastify'
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
import { OperatorError } from '../../lib/operator-error.js'
import { toTime } from '../../lib/time-text.js'
import { defaultTenantId } from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import type { RegisterCommands } from '../guest.js'
import { settingsOf, withSettings, type SettingOptions } from './client-options.js'
import { describe, describeClaims } from './client-text.js'
import { withHosts, type NewClient } from './clients/clients.js'
import { knownApplications, knownNames, settingsOfKnown, type KnownName } from './shared/known.js'
import { isWebUri } from './clients/redirect-uri.js'
import type { ClientRecord } from './clients/record.js'
import { clientTypes, presetsOf } from './clients/settings.js'
import type { Client } from './repositories/clients.js'
import type {} from './service.js'

interface AddOptions extends SettingOptions {
  id?: string
  type: NewClient['type']
  tenant?: string
  for?: KnownName
  url?: string
}

/** What `--for` fills in. */
const knownOf = ({ for: name, url }: AddOptions): Partial<NewClient> => {
  if (name === undefined) {
    if (url === undefined) return {}
    throw new OperatorError(`--url belongs to --for. Where people are sent back to is --redirect-uri.`)
  }
  if (url === undefined || !isWebUri(url))
    throw new OperatorError(`Give --url: where people open it, such as https://${name}.example.com.`)
  return settingsOfKnown(knownApplications[name], url)
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What differs between a client that is there and the one that is wanted, by the names of the settings. */
const differences = (present: Client, wanted: NewClient): string[] =>
  (Object.keys(wanted) as (keyof NewClient)[]).filter((name) => !isSame(present[name], wanted[name]))

const recordOf = (app: FastifyInstance, { id }: Client): Promise<ClientRecord> =>
  app.applications.managed.get(operatorActor(), id)

/** What is left to do once an application is added that knows nothing of sign-in. */
const describeForward = ({ name, hosts }: Client, { provider, trustProxy }: Settings): string =>
  [
    `Added the application ${name}. The proxy in front of it has to ask Rollcall about each request for`,
    ...hosts.map((host) => `  ${host}`),
    'docs/protect-any-application.md has the configuration of nginx and Caddy.',
    ...(provider.enabled ? [] : ['Nobody passes until the setting provider.enabled is true.']),
    ...(trustProxy.length > 0 ? [] : ['Nobody passes until TRUST_PROXY names the address of the proxy.']),
  ].join('\n')

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
          await app.applications.managed.describe(found),
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
        const found = await app.applications.managed.get(operatorActor(), id)
        report(options, found, describe(found))
      })
    })

  requireOption(
    client
      .command('claims')
      .description('show what an application would get to know of a user, and what is left out and why')
      .addArgument(nameArgument('<id>'))
      .addOption(tenantOption('the tenant of the user; absent means the default tenant'))
      .addOption(jsonOption()),
    nameOption('--user <username>', 'whose'),
  ).action(async (id: string, options: { user?: string; tenant?: string; json?: boolean }) => {
    await withInstalledApp(async (app) => {
      const user = await app.accounts.findUser(options.user ?? '', await tenantId(app, options.tenant))
      const preview = await app.applications.managed.claims(operatorActor(), id, user.id)
      report(options, preview, describeClaims(preview))
    })
  })

  withSettings(client.command('add').description('add an application; prints its secret, this once'))
    .addOption(
      new Option('--for <application>', 'fill in what this one is known to need; with --url').choices(knownNames),
    )
    .addOption(new Option('--url <url>', 'where people open it; what --for fills in begins with it'))
    .addOption(nameOption('--name <text>', 'what people know it by; with --for its own name'))
    .addOption(nameOption('--id <text>', 'its id; absent means that of --for, or a random one'))
    .addOption(
      new Option(
        '--type <type>',
        'confidential: a server; public: scripts in a browser; native: an app on a device; forward: knows nothing of sign-in, a proxy asks for it (--host)',
      )
        .choices(clientTypes)
        .default('confidential'),
    )
    .addOption(tenantOption('the tenant that it belongs to; absent means the default tenant'))
    .action(async (options: AddOptions, command: Command) => {
      const known = knownOf(options)
      const name = options.name ?? known.name
      if (name === undefined)
        command.error('error: give --name, or --for with --url for an application that is known here', { exitCode: 2 })
      await withInstalledApp(async (app) => {
        const tenant = (await tenantId(app, options.tenant)) ?? defaultTenantId
        const { settings: given, access } = await settingsOf(app, options, tenant)
        const settings = { ...known, ...given }
        const { redirectUris = [], serviceAccount = null, hosts = [] } = settings
        if (options.type !== 'forward' && hosts.length > 0)
          throw new OperatorError('--host belongs to --type forward: an application that knows nothing of sign-in.')
        if (options.type !== 'forward' && redirectUris.length === 0 && serviceAccount === null)
          throw new OperatorError('Give at least one --redirect-uri: where people are sent back to.')
        const id = options.id ?? options.for
        const preset = presetsOf(options.type)
        const wanted = withHosts<NewClient>({
          ...preset,
          ...settings,
          ...{ redirectUris, name, type: options.type, tenantId: tenant },
          access: { ...preset.access, ...access },
          ...(id !== undefined && { id }),
        })
        const present = id === undefined ? undefined : await app.db.providerClients.find(id)
        if (present) {
          const different = differences(present, wanted)
          if (different.length > 0)
            throw new OperatorError(
              `There is an application ${present.id} already, with another ${different.join(', ')}. rollcall client edit changes it. Nothing has been changed.`,
            )
          report(
            options,
            { ...(await recordOf(app, present)), isNew: false },
            `The application ${present.id} is there already, as asked.`,
          )
          return
        }
        const { client: added, secret } = await app.applications.add(operatorActor(), wanted)
        const { issuer } = app.installation.settings
        const base = issuer.includes('://') ? issuer : 'the setting issuer, which has to be the address of the service'
        report(
          options,
          { ...(await recordOf(app, added)), isNew: true, ...(secret !== undefined && { secret }) },
          added.type === 'forward'
            ? describeForward(added, app.installation.settings)
            : [
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
        const { tenantId: tenant } = await app.applications.find(operatorActor(), id)
        const { settings, access } = await settingsOf(app, options, tenant)
        if (Object.keys(settings).length === 0 && Object.keys(access).length === 0)
          throw new OperatorError('Nothing to change: rollcall client edit --help lists what can be.')
        const changed = await app.applications.change(operatorActor(), id, { ...settings, access })
        report(options, await recordOf(app, changed), `Changed the application ${changed.name}.`)
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
        const { name } = await app.applications.find(operatorActor(), id)
        await confirm(options, `Delete the application ${name}? Nobody can sign in to it any more.`)
        await app.applications.remove(operatorActor(), id)
        report(options, { id, name }, `Deleted the application ${name}.`)
      })
    })
}

export default registerClients
