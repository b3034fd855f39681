import { sql, type Kysely } from 'kysely'
import { ownerNamed } from '../lists/owner-named.js'
import { equals, isNull, readPageInSteps, type Match, type SteppedList } from '../lists/page-in-steps.js'
import type { Steps } from '../lists/steps.js'
import { inOrderOf, type Page } from '../paging.js'
import type { Tables } from '../tables.js'
import { toApiToken, type ApiToken } from './session-owner.js'

export interface ListedToken {
  token: ApiToken
  username: string
  realName: string
  userType: number
  tenantName: string
}

export interface TokenFilter {
  /** Contained in the user name or the real name of the owner, case-insensitive. */
  keyword?: string | undefined
  userId?: number | undefined
  tenantId?: number | undefined
  /** Epoch milliseconds. */
  expiresBefore?: number | undefined
  /** Not used since then, or never. */
  unusedSince?: number | undefined
}

const matchesOf = ({ keyword, expiresBefore, unusedSince }: TokenFilter, now: number): Match[] => {
  const matches: Match[] = [{ column: 'expiry', condition: sql<boolean>`(expiry is null or expiry > ${now})` }]
  if (expiresBefore !== undefined)
    matches.push({ column: 'expiry', condition: sql<boolean>`expiry is not null and expiry < ${expiresBefore}` })
  if (unusedSince !== undefined) {
    const used = sql`coalesce(last_used_time, create_time)`
    matches.push(
      { column: 'last_used_time', condition: sql<boolean>`${used} < ${unusedSince}` },
      { column: 'create_time', condition: sql<boolean>`1 = 1` },
    )
  }
  if (keyword !== undefined) matches.push(ownerNamed(keyword))
  return matches
}

/** A page of the live tokens with their owners, latest first. */
export const readTokenPage = async (
  db: Kysely<Tables>,
  filter: TokenFilter,
  page: Page,
  now: number,
  steps: Steps,
): Promise<{ rows: ListedToken[]; total: number }> => {
  const { tenantId, userId } = filter
  const isLive = [isNull('end_time')]
  const ofUser = userId === undefined ? [] : [equals('user_id', userId)]
  const ofTenant = tenantId === undefined ? [] : [equals('tenant_id', tenantId)]
  const list: SteppedList<'api_tokens'> = {
    db,
    table: 'api_tokens',
    walk: { matches: isLive, order: ['create_time', 'id'], direction: 'desc' },
    matches: [...ofUser, ...ofTenant, ...matchesOf(filter, now)],
    few: ofUser.map((match) => [match, ...isLive]),
  }
  const { ids, total } = await readPageInSteps(list, page, steps)
  if (ids.length === 0) return { rows: [], total }
  const rows = await db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('api_tokens')
    .select(['users.username', 'users.real_name', 'users.user_type', 'tenants.tenant_name'])
    .where('api_tokens.id', 'in', ids)
    .execute()
  const listed = inOrderOf(ids, rows).map((row) => ({
    token: toApiToken(row),
    username: row.username,
    realName: row.real_name,
    userType: row.user_type,
    tenantName: row.tenant_name,
  }))
  return { rows: listed, total }
}
