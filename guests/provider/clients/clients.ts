import type { Database, Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import type { Actor } from '../../../lib/actor.js'
import type { Clock } from '../../../lib/clock.js'
import { invalidField, isProblem, problem } from '../../../lib/problem.js'
import { isVisible as isVisibleText } from '../../../lib/visible-text.js'
import { randomId } from '../../../lib/random-id.js'
import type { Audit } from '../../../plugins/record/audit/audit.js'
import { readToChange } from '../../../plugins/people/manage/change.js'
import { userTypes } from '../../../schemas/user.js'
import type { Client } from '../repositories/clients.js'
import { rules } from '../rules.js'
import type { Resource } from '../settings.js'
import { checkChanges, checkMakes, checkSees, checkSetsHosts } from './policy.js'
import { isRedirectUri, isWebUri } from './redirect-uri.js'
import { makeSecret, secretHash } from './secrets.js'
import { readHost } from '../forward/hosts.js'
import { isPlainPath } from '../forward/paths.js'
import { foreignSetting, type ClientSettings } from './settings.js'

interface Collaborators {
  db: Database
  audit: Pick<Audit, 'record'>
  clock: Clock
  /** Those of the settings. */
  resources: readonly Pick<Resource, 'id'>[]
}

/** A new application; an id of its own is optional. */
export interface NewClient extends ClientSettings {
  id?: string | undefined
  name: string
  tenantId: number
}

/** Absent values stay as they are. */
export type ClientChange = Partial<Omit<NewClient, 'id' | 'type' | 'access'>> & {
  access?: Partial<ClientSettings['access']>
}

const day = 24 * 3600 * 1000
/** Applications of a tenant. */
const maxClients = 200

/** The address of the list, and the page of the console that adds one. */
const reserved = ['page', 'new']

/** Only characters that every part of an address and of a header takes as they are. */
const isId = (text: string): boolean => /^[A-Za-z\d][\w.~-]{1,99}$/.test(text) && !reserved.includes(text)

const randomClientId = (): string => {
  let id = randomId()
  while (!isId(id)) id = randomId()
  return id
}

const targetOf = ({ id, name, tenantId }: Pick<Client, 'id' | 'name' | 'tenantId'>) => ({
  type: 'client' as const,
  id,
  name,
  tenantId,
})

/** What the audit trail shows of a client. */
const shownOf = ({ name, tenantId, access, ...client }: NewClient) => ({
  name,
  tenantId,
  type: client.type,
  redirectUris: client.redirectUris,
  postLogoutRedirectUris: client.postLogoutRedirectUris,
  backchannelLogoutUri: client.backchannelLogoutUri,
  homeUrl: client.homeUrl,
  consent: client.consent,
  scopes: client.scopes,
  tenants: access.tenants.map(String),
  roles: access.roles,
  pkce: client.pkce,
  refreshTokens: client.refreshTokens,
  idTokenAlgorithm: client.idTokenAlgorithm,
  minimalIdToken: client.minimalIdToken,
  unverifiedEmail: client.unverifiedEmail,
  minAcr: client.minAcr,
  resources: client.resources,
  serviceAccount: client.serviceAccount ?? undefined,
  ...(client.type === 'forward' && {
    hosts: client.hosts,
    openPaths: client.openPaths,
    pathRoles: client.pathRoles.map(({ path, roles }) => `${path}: ${roles.join(', ')}`),
    maxAge: client.maxAge ?? undefined,
  }),
})

/** As they are kept; what is no host is left for the check. */
export const withHosts = <T extends Pick<ClientSettings, 'hosts'>>(client: T): T => ({
  ...client,
  hosts: [...new Set(client.hosts.map((text) => readHost(text) ?? text))],
})

/** Adds, changes and removes applications. All changes are recorded in the audit trail. */
export const createClients = ({ db, audit, clock, resources }: Collaborators) => {
  /** Whoever lets an application act as an account has to be allowed to change that account. */
  const checkServiceAccount = async (
    inside: Repositories,
    actor: Actor<SessionOwner>,
    { type, tenantId, serviceAccount: id }: NewClient,
    before: Client | undefined,
  ): Promise<void> => {
    if (id === null || id === before?.serviceAccount) return
    if (type !== 'confidential') throw invalidField('serviceAccount', rules.serviceAccountOf)
    const { user } = await readToChange(inside, actor, id).catch((error: unknown) => {
      if (isProblem(error) && error.code === 'not_found') throw invalidField('serviceAccount', rules.noServiceAccount)
      throw error
    })
    if (user.userType !== userTypes.service || user.tenantId !== tenantId)
      throw invalidField('serviceAccount', rules.noServiceAccount)
  }

  const checkHosts = async (
    inside: Repositories,
    actor: Actor<SessionOwner>,
    { type, id, hosts, openPaths, pathRoles }: NewClient,
    before: Client | undefined,
  ): Promise<void> => {
    if (type !== 'forward') return
    if (hosts.length === 0) throw invalidField('hosts', rules.noHost)
    for (const [index, host] of hosts.entries()) {
      if (readHost(host) === undefined) throw invalidField(`hosts.${index}`, rules.host)
      if (before?.hosts.includes(host) === true) continue
      checkSetsHosts(actor)
      const holder = await inside.providerClients.ofHost(host)
      if (holder && holder.id !== id) throw invalidField(`hosts.${index}`, rules.hostTaken)
    }
    for (const [index, path] of openPaths.entries())
      if (!isPlainPath(path)) throw invalidField(`openPaths.${index}`, rules.path)
    for (const [index, { path }] of pathRoles.entries())
      if (!isPlainPath(path)) throw invalidField(`pathRoles.${index}.path`, rules.path)
  }

  const check = async (
    inside: Repositories,
    actor: Actor<SessionOwner>,
    client: NewClient,
    before?: Client,
  ): Promise<void> => {
    checkMakes(actor, client)
    const { type, pkce, redirectUris, postLogoutRedirectUris, scopes, name, tenantId, access } = client
    if (!isVisibleText(name) || name.trim() === '') throw invalidField('name', 'name', { limit: 100 })
    const foreign = foreignSetting(client)
    if (foreign !== undefined) throw invalidField(foreign, rules.notOfType, { type })
    await checkHosts(inside, actor, client, before)
    // One that nobody signs in to has none.
    if (type !== 'forward' && redirectUris.length === 0 && client.serviceAccount === null)
      throw invalidField('redirectUris', rules.noAddress)
    for (const [index, uri] of redirectUris.entries())
      if (!isRedirectUri(uri, type)) throw invalidField(`redirectUris.${index}`, rules.redirectUri)
    for (const [index, uri] of postLogoutRedirectUris.entries())
      if (!isRedirectUri(uri, type)) throw invalidField(`postLogoutRedirectUris.${index}`, rules.redirectUri)
    const { backchannelLogoutUri } = client
    if (backchannelLogoutUri !== null && !isWebUri(backchannelLogoutUri))
      throw invalidField('backchannelLogoutUri', rules.webUri)
    if (client.homeUrl !== null && !isWebUri(client.homeUrl)) throw invalidField('homeUrl', rules.webUri)
    if (!scopes.includes('openid')) throw invalidField('scopes', rules.openid)
    if (pkce === 'optional' && type !== 'confidential') throw invalidField('pkce', rules.pkce)
    // What was taken out of the settings meanwhile keeps nobody from changing the rest.
    for (const [index, id] of client.resources.entries())
      if (before?.resources.includes(id) !== true && !resources.some((one) => one.id === id))
        throw invalidField(`resources.${index}`, rules.noResource, { known: resources.map((one) => one.id).join(', ') })
    await checkServiceAccount(inside, actor, client, before)
    for (const id of [tenantId, ...access.tenants])
      if (!(await inside.tenants.find(id)))
        throw invalidField(id === tenantId ? 'tenantId' : 'access.tenants', rules.noTenant, { id })
  }

  const findIn = async ({ providerClients }: Pick<Repositories, 'providerClients'>, id: string): Promise<Client> => {
    const client = await providerClients.find(id)
    if (!client) throw problem('not_found')
    return client
  }

  const readClient = async (inside: Repositories, actor: Actor<SessionOwner>, id: string): Promise<Client> => {
    const client = await findIn(inside, id)
    checkChanges(actor, client)
    // A new secret, or another service, is a way to act as the account.
    if (client.serviceAccount !== null && (await inside.users.find(client.serviceAccount)))
      await readToChange(inside, actor, client.serviceAccount)
    return client
  }

  return {
    list: (tenantId?: number): Promise<Client[]> => db.providerClients.list(tenantId),

    /** Throws `not_found`. */
    async find(actor: Actor<SessionOwner>, id: string): Promise<Client> {
      const client = await findIn(db, id)
      checkSees(actor, client)
      return client
    },

    /** Adds a client; with its secret where it keeps one, which nothing shows again. Throws `client_exists`, `too_many_clients` and `invalid_request`. */
    add: (actor: Actor<SessionOwner>, wanted: NewClient): Promise<{ client: Client; secret: string | undefined }> =>
      db.transaction(async (inside) => {
        const { id = randomClientId(), ...settings } = withHosts(wanted)
        if (!isId(id)) throw invalidField('id', rules.clientId)
        await check(inside, actor, { ...settings, id })
        if (await inside.providerClients.find(id)) throw problem('client_exists')
        if ((await inside.providerClients.countOf(wanted.tenantId)) >= maxClients) throw problem('too_many_clients')
        const secret = settings.type === 'confidential' ? makeSecret() : undefined
        const now = clock.now()
        const client: Client = {
          ...settings,
          id,
          secretHash: secret === undefined ? null : secretHash(secret),
          oldSecret: null,
          lastError: null,
          createTime: now,
          updateTime: now,
        }
        await inside.providerClients.add(client)
        await audit.record(inside, actor, { action: 'client.add', target: targetOf(client), after: shownOf(client) })
        return { client, secret }
      }),

    /** Changes what is given. Throws `not_found`, `permission_denied` and `invalid_request`. */
    change: (actor: Actor<SessionOwner>, id: string, { access, ...change }: ClientChange): Promise<Client> =>
      db.transaction(async (inside) => {
        const before = await readClient(inside, actor, id)
        const after = withHosts({ ...before, ...change, access: { ...before.access, ...access } })
        const client: Client = { ...after, updateTime: clock.now() }
        await check(inside, actor, client, before)
        await inside.providerClients.change(client)
        await audit.record(inside, actor, {
          action: 'client.change',
          target: targetOf(client),
          before: shownOf(before),
          after: shownOf(client),
        })
        return client
      }),

    /** Makes a new secret; the one of before is taken for so many days more. Throws `not_found`, `permission_denied` and `invalid_request`. */
    renewSecret: (actor: Actor<SessionOwner>, id: string, overlapDays: number): Promise<string> =>
      db.transaction(async (inside) => {
        const client = await readClient(inside, actor, id)
        if (client.secretHash === null) throw invalidField('id', rules.noSecret)
        const secret = makeSecret()
        const now = clock.now()
        const oldSecret = overlapDays === 0 ? null : { hash: client.secretHash, expiry: now + overlapDays * day }
        await inside.providerClients.change({
          ...client,
          secretHash: secretHash(secret),
          oldSecret,
          updateTime: now,
        })
        await audit.record(inside, actor, {
          action: 'client.secret',
          target: targetOf(client),
          after: { overlapDays },
        })
        return secret
      }),

    /** Removes a client with all its tokens. Throws `not_found` and `permission_denied`. */
    remove: (actor: Actor<SessionOwner>, id: string): Promise<Client> =>
      db.transaction(async (inside) => {
        const client = await readClient(inside, actor, id)
        await inside.providerClients.remove(id)
        await audit.record(inside, actor, {
          action: 'client.delete',
          target: targetOf(client),
          before: shownOf(client),
        })
        return client
      }),
  }
}

export type Clients = ReturnType<typeof createClients>
