import { Type } from '@sinclair/typebox'
import type { Kysely, Selectable } from 'kysely'
import { jsonReader } from '../../lib/json-reader.js'
import { compileQuery } from '../query.js'
import { narrow } from '../../lib/permissions.js'
import { noGrants, readGrantsOfSessions, readGrantsOfToken, type Grants } from './user-roles.js'
import type { ApiTokenTable, SessionTable, Tables } from '../tables.js'
import { createTogether } from '../../lib/together.js'
import { createUserCache, type ChangeFeed } from '../user-cache.js'
import { tenantColumns, toUser, toUserTenant, type User, type UserTenant } from './user-rows.js'

/** Why a session ended before its expiry. */
export type EndReason = 'logout' | 'replaced' | 'revoked' | 'token_reuse' | 'password_changed' | 'disabled'

export type AuthenticationContext = 'aal1' | 'aal2'

export interface Session {
  id: string
  userId: number
  tenantId: number
  userClient: string
  /** Grows with each refresh; an access token carries the generation in which it was issued. */
  generation: number
  generationTime: number
  generationUsedTime: number | null
  /** The same for the previous generation. */
  previousUsedTime: number | null
  encryptedToken: string | null
  /** The device whose cookie a refresh needs. */
  deviceId: string | null
  loginIp: string
  userAgent: string
  /** Epoch milliseconds, like all times here. */
  createTime: number
  lastActiveTime: number
  idleExpiry: number
  expiry: number
  endReason: EndReason | null
  /** `aal1`: one factor proved; `aal2`: two, or a passkey with user verification. */
  acr: AuthenticationContext
  /** Methods by which the user was proved (RFC 8176). */
  amr: string[]
  /** When the user was proved, by any method. */
  authTime: number
  /** When a second factor was proved; null: never. */
  factorTime: number | null
}

/** What a script or another service signs in with; it belongs to a user. */
export interface ApiToken {
  id: string
  userId: number
  tenantId: number
  /** Its first characters. */
  start: string
  name: string
  /** Those that it was given; null: all that its owner has. */
  permissions: string[] | null
  /** Where it may be used: addresses and ranges of addresses (CIDR); null: everywhere. */
  addresses: string[] | null
  acr: AuthenticationContext
  /** Id of the user who made it; null: a command. */
  createdBy: number | null
  /** Epoch milliseconds, like all times here. */
  createTime: number
  /** Null: none. */
  expiry: number | null
  lastUsedTime: number | null
  lastUsedIp: string | null
  endTime: number | null
}

/** A session and its owner: what every request reads. */
export interface SessionOwner {
  /** That of an API token is made up of what the token has. */
  session: Session
  /** Present where an API token was shown: its owner has a part of the permissions then. */
  token?: ApiToken
  /** With the roles and permissions, for apps around the service. */
  user: User & Pick<Grants, 'roleKeys' | 'permissions'>
  tenant: UserTenant
  grants: Grants
}

export const toOwner = (session: Session, user: User, tenant: UserTenant, grants: Grants): SessionOwner => {
  const { roleKeys, permissions } = grants
  return { session, user: { ...user, roleKeys, permissions }, tenant, grants }
}

export interface NewSession extends Omit<Session, 'generationUsedTime' | 'previousUsedTime' | 'endReason'> {
  /** The linked identity that signed in. */
  identityId: number | null
  /** Of the secret in the page cookie; absent without such a cookie. */
  pageSecretHash?: string | undefined
}

/**
 * Sessions that stay cached, with their owners, until they change. One takes some 2 KB here, and as much as JSON (`userInfo`); pictures of
 * users have up to 60,000 characters.
 */
const cacheLimits = { max: 5000, maxSize: 16 * 2 ** 20, maxPictures: 16 * 2 ** 20 }
/** Sessions that are read at a time. */
const maxTogether = 16

export const toSession = (
  row: Omit<Selectable<SessionTable>, 'end_time' | 'identity_id' | 'page_secret_hash'>,
): Session => ({
  id: row.id,
  userId: row.user_id,
  tenantId: row.tenant_id,
  userClient: row.user_client,
  generation: row.generation,
  generationTime: row.generation_time,
  generationUsedTime: row.generation_used_time,
  previousUsedTime: row.previous_used_time,
  encryptedToken: row.sealed_token,
  deviceId: row.device_id,
  loginIp: row.login_ip,
  userAgent: row.user_agent,
  createTime: row.create_time,
  lastActiveTime: row.last_active_time,
  idleExpiry: row.idle_expiry,
  expiry: row.expiry,
  endReason: row.end_reason as EndReason | null,
  acr: row.acr as AuthenticationContext,
  amr: row.amr === '' ? [] : row.amr.split(' '),
  authTime: row.auth_time,
  factorTime: row.factor_time,
})

const selectOwners = compileQuery((db, { ids }: { ids: string[] }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('users')
    .select(tenantColumns)
    .select([
      'sessions.id as session_id',
      'sessions.tenant_id as session_tenant_id',
      'sessions.create_time as session_create_time',
      'sessions.user_id',
      'sessions.user_client',
      'sessions.generation',
      'sessions.generation_time',
      'sessions.generation_used_time',
      'sessions.previous_used_time',
      'sessions.sealed_token',
      'sessions.device_id',
      'sessions.login_ip',
      'sessions.user_agent',
      'sessions.last_active_time',
      'sessions.idle_expiry',
      'sessions.expiry',
      'sessions.end_reason',
      'sessions.acr',
      'sessions.amr',
      'sessions.auth_time',
      'sessions.factor_time',
    ])
    .where('sessions.id', 'in', ids),
)

/** Sessions with their owners, by id. */
const readOwners = async (db: Kysely<Tables>, ids: string[]): Promise<Map<string, SessionOwner>> => {
  const [rows, grants] = await Promise.all([selectOwners(db, { ids }), readGrantsOfSessions(db, ids)])
  return new Map(
    rows.map((row) => {
      const { session_id: id, session_tenant_id: tenant_id, session_create_time: create_time } = row
      const session = toSession({ ...row, id, tenant_id, create_time })
      return [id, toOwner(session, toUser(row), toUserTenant(row), grants.get(row.user_id) ?? noGrants)]
    }),
  )
}

export const readOwner = async (db: Kysely<Tables>, id: string): Promise<SessionOwner | undefined> =>
  (await readOwners(db, [id])).get(id)

/** What cannot be read allows nothing. */
const readTexts = jsonReader(Type.Array(Type.String()))

export const toApiToken = (row: Omit<Selectable<ApiTokenTable>, 'token_hash' | 'kept_until'>): ApiToken => ({
  id: row.id,
  userId: row.user_id,
  tenantId: row.tenant_id,
  start: row.start,
  name: row.name,
  permissions: row.permissions === null ? null : (readTexts(row.permissions) ?? []),
  addresses: row.addresses === null ? null : (readTexts(row.addresses) ?? []),
  acr: row.acr as AuthenticationContext,
  createdBy: row.created_by,
  createTime: row.create_time,
  expiry: row.expiry,
  lastUsedTime: row.last_used_time,
  lastUsedIp: row.last_used_ip,
  endTime: row.end_time,
})

/** What routes read of a session, for a token. */
const toSessionOfToken = ({ id, userId, tenantId, acr, createTime, expiry, ...token }: ApiToken): Session => ({
  id: `token ${id}`,
  userId,
  tenantId,
  userClient: 'api',
  generation: 1,
  generationTime: createTime,
  generationUsedTime: null,
  previousUsedTime: null,
  encryptedToken: null,
  deviceId: null,
  loginIp: token.lastUsedIp ?? '',
  userAgent: '',
  createTime,
  lastActiveTime: token.lastUsedTime ?? createTime,
  idleExpiry: Infinity,
  expiry: expiry ?? Infinity,
  endReason: token.endTime === null ? null : 'revoked',
  acr,
  amr: [],
  authTime: createTime,
  factorTime: null,
})

const selectTokenOwner = compileQuery((db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('users')
    .select(tenantColumns)
    .select([
      'api_tokens.id as token_id',
      'api_tokens.create_time as token_create_time',
      'api_tokens.user_id',
      'api_tokens.start',
      'api_tokens.name',
      'api_tokens.permissions',
      'api_tokens.addresses',
      'api_tokens.acr',
      'api_tokens.created_by',
      'api_tokens.expiry',
      'api_tokens.last_used_time',
      'api_tokens.last_used_ip',
      'api_tokens.end_time',
    ])
    .where('api_tokens.token_hash', '=', tokenHash),
)

/** The owner of a token, who may do what both the owner and the token may. */
export const readTokenOwner = async (db: Kysely<Tables>, tokenHash: string): Promise<SessionOwner | undefined> => {
  const [[row], grants] = await Promise.all([selectTokenOwner(db, { tokenHash }), readGrantsOfToken(db, tokenHash)])
  if (!row) return undefined
  const token = toApiToken({ ...row, id: row.token_id, create_time: row.token_create_time })
  const narrowed =
    token.permissions === null ? grants : { ...grants, permissions: narrow(grants.permissions, token.permissions) }
  return { ...toOwner(toSessionOfToken(token), toUser(row), toUserTenant(row), narrowed), token }
}

export type FindOwner = (id: string) => Promise<SessionOwner | undefined>

/** How the owners of sessions and of API tokens are found. */
export type FindOwners = Record<'session' | 'token', FindOwner>

/**
 * Caches sessions and API tokens with their owners. With `readsTogether`, sessions that must be read in one turn of the event loop are read
 * together.
 */
export const createFindOwners = (db: Kysely<Tables>, changes: ChangeFeed, readsTogether: boolean): FindOwners => {
  const cache = createUserCache<SessionOwner>(changes, cacheLimits)
  const readMany = async (ids: string[]) => {
    const owners = await readOwners(db, [...new Set(ids)])
    return ids.map((id) => owners.get(id))
  }
  const read = readsTogether
    ? createTogether(readMany, { atOnce: Infinity, maxSize: maxTogether })
    : (id: string) => readOwner(db, id)
  return {
    session: (id) => cache.find(id, () => read(id)),
    token: (tokenHash) => cache.find(`token ${tokenHash}`, () => readTokenOwner(db, tokenHash)),
  }
}
