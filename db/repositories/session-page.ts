import { sql, type Kysely } from 'kysely'
import { contains } from '../contains.js'
import { fold } from '../fold.js'
import { ownerNamed } from '../lists/owner-named.js'
import { equals, isNull, readPageInSteps, type Match, type SteppedList } from '../lists/page-in-steps.js'
import type { Steps } from '../lists/steps.js'
import { inOrderOf, type Page } from '../paging.js'
import type { Tables } from '../tables.js'
import { toSession, type Session } from './session-owner.js'

export interface ListedSession {
  session: Session
  username: string
  realName: string
  tenantName: string
}

export interface SessionFilter {
  /** Contained in the user name, case-insensitive. */
  username?: string | undefined
  /** Contained in the user name or the real name, case-insensitive. */
  keyword?: string | undefined
  userId?: number | undefined
  tenantId?: number | undefined
  loginIp?: string | undefined
}

export interface SessionOrder {
  column: 'loginTime' | 'lastActiveTime'
  direction: 'asc' | 'desc'
}

const timeColumn = { loginTime: 'create_time', lastActiveTime: 'last_active_time' } as const

const later = (column: string, time: number): Match => ({
  column,
  condition: sql<boolean>`${sql.ref(column)} > ${time}`,
})

/** What no index finds. */
const matchesOf = ({ username, keyword, loginIp }: SessionFilter, now: number): Match[] => {
  const matches = [later('expiry', now), later('idle_expiry', now)]
  if (loginIp !== undefined) matches.push(equals('login_ip', loginIp))
  if (username !== undefined) {
    const name = sql`(select username_key from users where users.id = user_id)`
    matches.push({ column: 'user_id', condition: contains(name, fold(username)) })
  }
  if (keyword !== undefined) matches.push(ownerNamed(keyword))
  return matches
}

/** A page of the live sessions with their users. */
export const readSessionPage = async (
  db: Kysely<Tables>,
  filter: SessionFilter,
  page: Page,
  { column, direction }: SessionOrder,
  now: number,
  steps: Steps,
): Promise<{ rows: ListedSession[]; total: number }> => {
  const { tenantId, userId } = filter
  const isLive = [isNull('end_time')]
  const ofTenant = tenantId === undefined ? undefined : equals('tenant_id', tenantId)
  const ofUser = userId === undefined ? undefined : equals('user_id', userId)
  // Only the sessions of all tenants have an index by their last activity.
  const isByTenant = ofTenant && column === 'loginTime'
  const walk = {
    matches: isByTenant ? [ofTenant, ...isLive] : isLive,
    order: [timeColumn[column], 'id'],
    direction,
  }
  const given = [ofUser, ofTenant].filter((match) => match !== undefined)
  const few = given.map((match) => [match, ...isLive])
  const list: SteppedList<'sessions'> = {
    db,
    table: 'sessions',
    walk,
    matches: [...given, ...matchesOf(filter, now)],
    few,
  }
  const { ids, total } = await readPageInSteps(list, page, steps)
  if (ids.length === 0) return { rows: [], total }
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('sessions')
    .select(['users.username', 'users.real_name', 'tenants.tenant_name'])
    .where('sessions.id', 'in', ids)
    .execute()
  const listed = inOrderOf(ids, rows).map((row) => ({
    session: toSession(row),
    username: row.username,
    realName: row.real_name,
    tenantName: row.tenant_name,
  }))
  return { rows: listed, total }
}
