import { InvalidArgumentError, Option, type Command } from 'commander'
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
import { countOf } from '../../lib/count-of.js'
import { toOneLine } from '../../lib/one-line.js'
import { OperatorError } from '../../lib/operator-error.js'
import { toTime } from '../../lib/time-text.js'
import type { RegisterCommands } from '../guest.js'
import type { NewClient } from './clients/clients.js'
import { clientTypes, consentKinds, idTokenAlgorithms, pkceKinds, refreshKinds, scopes } from './clients/settings.js'
import type { Client } from './repositories/clients.js'
import type {} from './service.js'

const readList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const readScopes = (text: string): NewClient['scopes'] =>
  readList(text).map((name) => {
    const scope = scopes.find((one) => one === name)
    if (!scope) throw new InvalidArgumentError(`${name} is none of ${scopes.join(', ')}.`)
    return scope
  })

const readSwitch = (text: string): boolean => {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.')
  return text === 'on'
}

/** What `add` and `edit` may say; absent means the preset, or that it stays. */
interface SettingOptions {
  name?: string
  redirectUri?: string[]
  postLogoutRedirectUri?: string[]
  backchannelLogoutUri?: string
  consent?: NewClient['consent']
  scopes?: NewClient['scopes']
  tenants?: string[]
  roles?: string[]
  pkce?: NewClient['pkce']
  refreshTokens?: NewClient['refreshTokens']
  idTokenAlgorithm?: NewClient['idTokenAlgorithm']
  minimalIdToken?: boolean
  unverifiedEmail?: boolean
  minAcr?: 'aal1' | 'aal2' | 'none'
  json?: boolean
}

interface AddOptions extends SettingOptions {
  id?: string
  type: NewClient['type']
  tenant?: string
}

const collect = (text: string, former: string[] = []): string[] => [...former, text]

const withSettings = (command: Command): Command =>
  command
    .addOption(
      new Option('--redirect-uri <url>', 'where people are sent back to; may be given several times').argParser(
        collect,
      ),
    )
    .addOption(
      new Option(
        '--post-logout-redirect-uri <url>',
        'where people may be sent after a sign-out that it has asked for; may be given several times',
      ).argParser(collect),
    )
    .addOption(new Option('--backchannel-logout-uri <url>', 'where it is told of sign-outs; none: not at all'))
    .addOption(
      new Option(
        '--consent <kind>',
        'never: people are not asked before it gets to know them; absent means once',
      ).choices(consentKinds),
    )
    .addOption(
      new Option('--scopes <list>', 'what it may ask for, separated by commas; absent means all').argParser(readScopes),
    )
    .addOption(
      new Option(
        '--tenants <list>',
        'ids or names of the tenants whose people may use it; absent means its own',
      ).argParser(readList),
    )
    .addOption(
      new Option('--roles <list>', 'keys of roles of which a person needs one; absent means none is needed').argParser(
        readList,
      ),
    )
    .addOption(
      new Option('--pkce <required|optional>', 'optional for confidential applications that do not speak PKCE').choices(
        pkceKinds,
      ),
    )
    .addOption(
      new Option(
        '--refresh-tokens <kind>',
        'session: they end with the session; offline: they outlive the sign-out',
      ).choices(refreshKinds),
    )
    .addOption(new Option('--id-token-algorithm <name>', 'what signs its ID tokens').choices(idTokenAlgorithms))
    .addOption(new Option('--minimal-id-token <on|off>', 'ID tokens say only who signed in').argParser(readSwitch))
    .addOption(
      new Option('--unverified-email <on|off>', 'it gets e-mail addresses that nobody has verified').argParser(
        readSwitch,
      ),
    )
    .addOption(
      new Option('--min-acr <level>', 'aal2 asks everybody for a second factor').choices(['none', 'aal1', 'aal2']),
    )
    .addOption(jsonOption())

const settingsOf = async (app: FastifyInstance, options: SettingOptions) => {
  const tenants =
    options.tenants && (await Promise.all(options.tenants.map(async (text) => (await tenantId(app, text)) ?? 0)))
  const given = {
    name: options.name,
    redirectUris: options.redirectUri,
    postLogoutRedirectUris: options.postLogoutRedirectUri,
    ...(options.backchannelLogoutUri !== undefined && {
      backchannelLogoutUri: options.backchannelLogoutUri === 'none' ? null : options.backchannelLogoutUri,
    }),
    consent: options.consent,
    scopes: options.scopes,
    pkce: options.pkce,
    refreshTokens: options.refreshTokens,
    idTokenAlgorithm: options.idTokenAlgorithm,
    minimalIdToken: options.minimalIdToken,
    unverifiedEmail: options.unverifiedEmail,
    ...(options.minAcr !== undefined && { minAcr: options.minAcr === 'none' ? null : options.minAcr }),
  }
  return {
    settings: Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<NewClient>,
    access: { ...(tenants && { tenants }), ...(options.roles && { roles: options.roles }) },
  }
}

const presets: Omit<NewClient, 'name' | 'tenantId' | 'redirectUris'> = {
  type: 'confidential',
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  consent: 'once',
  scopes: [...scopes],
  access: { tenants: [], roles: [] },
  pkce: 'required',
  refreshTokens: 'none',
  idTokenAlgorithm: 'RS256',
  minimalIdToken: false,
  unverifiedEmail: false,
  minAcr: null,
}

/** What `show` and `--json` print: never the hashes of secrets. */
const shown = ({ secretHash, oldSecret, lastError, createTime, updateTime, ...client }: Client) => ({
  ...client,
  hasSecret: secretHash !== null,
  oldSecretUntil: oldSecret ? toTime(oldSecret.expiry) : null,
  lastError: lastError ? { message: lastError.message, time: toTime(lastError.time) } : null,
  createTime: toTime(createTime),
  updateTime: toTime(updateTime),
})

const describe = (client: Client): string => {
  const { access, lastError, redirectUris } = client
  const rows: [string, string][] = [
    ['id', client.id],
    ['name', client.name],
    ['type', client.type],
    ['tenant', String(client.tenantId)],
    ...redirectUris.map((uri): [string, string] => ['redirect URI', uri]),
    ...client.postLogoutRedirectUris.map((uri): [string, string] => ['after sign-out', uri]),
    ['told of sign-outs at', client.backchannelLogoutUri ?? 'not told'],
    ['consent', client.consent],
    ['scopes', client.scopes.join(', ')],
    ['people of tenants', access.tenants.length === 0 ? String(client.tenantId) : access.tenants.join(', ')],
    ['roles, one of', access.roles.length === 0 ? 'none needed' : access.roles.join(', ')],
    ['PKCE', client.pkce],
    ['refresh tokens', client.refreshTokens],
    ['ID tokens', `${client.idTokenAlgorithm}${client.minimalIdToken ? ', minimal' : ''}`],
    ['second factor', client.minAcr === 'aal2' ? 'asked of everybody' : 'not asked'],
    ...(client.oldSecret ? [['former secret until', toTime(client.oldSecret.expiry)] as [string, string]] : []),
    ['last refusal', lastError ? `${toTime(lastError.time)}: ${lastError.message}` : 'none'],
  ]
  return rows.map(([label, value]) => `${label.padEnd(22)}${toOneLine(value)}`).join('\n')
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
        const tenant = (await tenantId(app, options.tenant)) ?? 1
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
