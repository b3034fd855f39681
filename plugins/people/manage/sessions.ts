import { pageNumbers, toPage } from '../../../db/paging.js'
import type { ListedSession, SessionFilter } from '../../../db/repositories/session-page.js'
import {
  sessionColumns,
  type ManagedSession,
  type SessionPage,
  type SessionQuery,
} from '../../../schemas/managed-session.js'
import type { Needs } from '../../../lib/needs.js'
import { problem } from '../../../lib/problem.js'
import { createReadOrder } from '../../../lib/read-order.js'
import { checkManages, isVisible, visibleTenant, type Manager } from './policy.js'

const readOrder = createReadOrder(sessionColumns, [{ column: 'loginTime', direction: 'desc' }])

const toRecord = (listed: ListedSession, current: string | undefined): ManagedSession => {
  const { session, username, realName, tenantName } = listed
  const { id, userId, tenantId, userClient, loginIp, userAgent, createTime, lastActiveTime } = session
  const user = { userId, username, realName, tenantId, tenantName }
  const expireTime = Math.min(session.expiry, session.idleExpiry)
  return {
    id,
    ...user,
    userClient,
    loginIp,
    userAgent,
    loginTime: createTime,
    lastActiveTime,
    expireTime,
    current: id === current,
  }
}

/** Lists and ends the sessions of all users. */
export const createManagedSessions = ({ audit, clock, db, lists }: Needs<'audit' | 'clock' | 'db' | 'lists'>) => ({
  /**
   * The live sessions that the actor may see; `wanted` may begin at any row. Throws `invalid_request` for what is not a column or a
   * direction, and `too_many_requests`.
   */
  async page(
    actor: Manager,
    query: SessionQuery & Pick<SessionFilter, 'keyword'>,
    closed?: () => AbortSignal,
    wanted = toPage(query),
  ): Promise<SessionPage> {
    const [order = { column: 'loginTime', direction: 'desc' } as const] = readOrder(query)
    // Another tenant than the own one has no rows that the caller may see.
    if (query.tenantId !== undefined && !isVisible(actor, query.tenantId))
      return { records: [], ...pageNumbers(0, wanted) }
    const { username, keyword, userId, loginIp } = query
    const filter = { username, keyword, userId, loginIp, tenantId: visibleTenant(actor) ?? query.tenantId }
    const { caller } = actor
    const { rows, total } = await lists.read({ caller, closed }, { list: 'sessions', filter, order }, (steps) =>
      db.sessions.page(filter, wanted, order, clock.now(), steps),
    )
    const records = rows.map((row) => toRecord(row, actor.caller?.session.id))
    return { records, ...pageNumbers(total, wanted) }
  },

  /** Throws `not_found`, `own_account` and `permission_denied`. A repetition changes nothing. */
  async end(actor: Manager, id: string): Promise<void> {
    await db.transaction(async (inside) => {
      const owner = await inside.sessions.find(id)
      if (!owner) throw problem('not_found')
      const { session, user, grants } = owner
      const { tenantId, userType } = user
      checkManages(actor, { id: user.id, tenantId, userType, permissions: grants.permissions })
      const isLive = session.endReason === null && Math.min(session.expiry, session.idleExpiry) > clock.now()
      if (!isLive) return
      await inside.sessions.end([id], 'revoked', clock.now())
      const target = { type: 'session' as const, id, name: user.username, tenantId }
      const { userId, userClient, loginIp } = session
      await audit.record(inside, actor, { action: 'session.end', target, before: { userId, userClient, loginIp } })
    })
  },
})
