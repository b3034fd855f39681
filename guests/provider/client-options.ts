import { InvalidArgumentError, Option, type Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { jsonOption, tenantId } from '../../cli/options.js'
import { OperatorError } from '../../lib/operator-error.js'
import type { NewClient } from './clients/clients.js'
import { consentKinds, idTokenAlgorithms, levels, pkceKinds, refreshKinds, scopes } from './clients/settings.js'

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
export interface SettingOptions {
  name?: string
  redirectUri?: string[]
  postLogoutRedirectUri?: string[]
  backchannelLogoutUri?: string
  homeUrl?: string
  consent?: NewClient['consent']
  scopes?: NewClient['scopes']
  tenants?: string[]
  roles?: string[]
  pkce?: NewClient['pkce']
  refreshTokens?: NewClient['refreshTokens']
  idTokenAlgorithm?: NewClient['idTokenAlgorithm']
  minimalIdToken?: boolean
  unverifiedEmail?: boolean
  minAcr?: NewClient['minAcr']
  resources?: string[]
  serviceAccount?: string
  host?: string[]
  openPath?: string[]
  pathRoles?: NewClient['pathRoles']
  maxAge?: string
  json?: boolean
}

const collect = (text: string, former: string[] = []): string[] => [...former, text]

const collectPathRoles = (text: string, former: NewClient['pathRoles'] = []): NewClient['pathRoles'] => {
  const [, path = '', roles = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (path === '') throw new InvalidArgumentError('It must be a path and roles, such as /admin=admin,staff.')
  return [...former, { path, roles: readList(roles) }]
}

/** Adds the options for settings. */
export const withSettings = (command: Command): Command =>
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
    .addOption(new Option('--home-url <url>', 'where people open it; none: unknown'))
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
      new Option('--min-acr <level>', 'aal2 asks everybody for a second factor; absent means aal1').choices(levels),
    )
    .addOption(
      new Option(
        '--resources <list>',
        'addresses of services of provider.resources for which it may ask for tokens, separated by commas',
      ).argParser(readList),
    )
    .addOption(
      new Option(
        '--service-account <username>',
        'the service account as which it gets tokens by client credentials; none: not at all',
      ),
    )
    .addOption(
      new Option(
        '--host <host>',
        'with --type forward: a host that it protects, such as wiki.example.com; may be given several times',
      ).argParser(collect),
    )
    .addOption(
      new Option(
        '--open-path <path>',
        'with --type forward: a path that is open to everybody, with all below it; may be given several times',
      ).argParser(collect),
    )
    .addOption(
      new Option(
        '--path-roles <path=list>',
        'with --type forward: a path where people need one of these roles, too, such as /admin=admin; may be given several times',
      ).argParser(collectPathRoles),
    )
    .addOption(
      new Option(
        '--max-age <seconds>',
        'with --type forward: how long ago people may have proved who they are; none: as long as the session lives',
      ),
    )
    .addOption(jsonOption())

const toMaxAge = (text: string): number | null => {
  if (text === 'none') return null
  if (!/^\d{1,9}$/.test(text)) throw new OperatorError('--max-age must be a number of seconds, or none.')
  return Number(text)
}

/** The settings that the options give, and who may use the application. */
export const settingsOf = async (app: FastifyInstance, options: SettingOptions, tenant: number) => {
  const tenants =
    options.tenants && (await Promise.all(options.tenants.map(async (text) => (await tenantId(app, text)) ?? 0)))
  const { serviceAccount: account } = options
  const given = {
    resources: options.resources,
    ...(account !== undefined && {
      serviceAccount: account === 'none' ? null : (await app.accounts.findUser(account, tenant)).id,
    }),
    name: options.name,
    redirectUris: options.redirectUri,
    postLogoutRedirectUris: options.postLogoutRedirectUri,
    ...(options.backchannelLogoutUri !== undefined && {
      backchannelLogoutUri: options.backchannelLogoutUri === 'none' ? null : options.backchannelLogoutUri,
    }),
    ...(options.homeUrl !== undefined && { homeUrl: options.homeUrl === 'none' ? null : options.homeUrl }),
    consent: options.consent,
    scopes: options.scopes,
    pkce: options.pkce,
    refreshTokens: options.refreshTokens,
    idTokenAlgorithm: options.idTokenAlgorithm,
    minimalIdToken: options.minimalIdToken,
    unverifiedEmail: options.unverifiedEmail,
    minAcr: options.minAcr,
    hosts: options.host,
    openPaths: options.openPath,
    pathRoles: options.pathRoles,
    ...(options.maxAge !== undefined && { maxAge: toMaxAge(options.maxAge) }),
  }
  return {
    settings: Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<NewClient>,
    access: { ...(tenants && { tenants }), ...(options.roles && { roles: options.roles }) },
  }
}
