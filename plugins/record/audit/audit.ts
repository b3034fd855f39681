import type { AuditRow, AuditTrailRepository } from '../../../db/repositories/audit-trail.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Actor } from '../../../lib/actor.js'
import type { Clock } from '../../../lib/clock.js'
import { toOneLine } from '../../../lib/one-line.js'
import type { AuditAction } from '../../../schemas/audit.js'

/** Fields of a record by their public names. */
type Values = Record<string, string | number | boolean | null | undefined | string[]>

/** Longer texts are cut off: an avatar may be a whole picture. */
const maxValue = 200
const shorten = (value: Values[string]) =>
  typeof value === 'string' && value.length > maxValue ? `${value.slice(0, maxValue)}…` : value

const toJson = (values: Values | undefined, names: string[]): string | null => {
  if (!values) return null
  const known = names.filter((name) => values[name] !== undefined)
  return known.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(known.map((name) => [name, shorten(values[name])])))
}

/** JSON of the fields that differ; all of them when there is only one side. */
const changedValues = (before: Values | undefined, after: Values | undefined) => {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const differ = (name: string) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name])
  const changed = before && after ? names.filter(differ) : names
  return { before: toJson(before, changed), after: toJson(after, changed) }
}

/** What guests change, apart from what the house has: each declares its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each guest adds to it
export interface GuestTargets {}

type Target = 'user' | 'role' | 'tenant' | 'session' | 'import' | 'export' | 'key'

/** What was changed. `before` and `after` are stored as far as they differ; they never contain a secret. */
export interface AuditEvent {
  action: AuditAction
  target: {
    type: keyof (Record<Target, true> & GuestTargets)
    id: string | number
    name: string
    tenantId: number | null
  }
  before?: Values | undefined
  after?: Values | undefined
}

/** Longer texts are cut off. */
const maxText = 200
const toText = (text: string): string => toOneLine(text).slice(0, maxText)

const actorColumns = ({ caller, owner, operator = '', address, userAgent }: Actor<SessionOwner>) => {
  const user = caller?.user ?? owner
  return {
    actorId: user?.id ?? null,
    actorName: caller?.token ? `${caller.user.username} (token ${caller.token.name})` : (user?.username ?? operator),
    source: user ? ('api' as const) : ('command line' as const),
    address,
    userAgent: toText(userAgent),
  }
}

interface Trail {
  auditTrail: Pick<AuditTrailRepository, 'add'>
}
type SessionUser = Pick<SessionOwner['user'], 'id' | 'username' | 'tenantId'>

/** The audit trail: who changed what, when and from where. A row is written in the transaction of its change. */
export const createAudit = (clock: Clock) => {
  const toRow = (actor: Actor<SessionOwner>, { action, target, before, after }: AuditEvent): Omit<AuditRow, 'id'> => ({
    time: clock.now(),
    tenantId: target.tenantId,
    ...actorColumns(actor),
    action,
    targetType: target.type,
    targetId: String(target.id),
    targetName: toText(target.name),
    ...changedValues(before, after),
  })

  /** Adds a row for each event in the transaction of the changes, whose repositories are passed. */
  const recordAll = ({ auditTrail }: Trail, actor: Actor<SessionOwner>, events: AuditEvent[]): Promise<void> =>
    auditTrail.add(events.map((event) => toRow(actor, event)))

  const record = (inside: Trail, actor: Actor<SessionOwner>, event: AuditEvent): Promise<void> =>
    recordAll(inside, actor, [event])

  return {
    /** The same for one event. */
    record,
    recordAll,

    /** Adds a row for each ended session of a user, in the same way. */
    recordSessionEnds(inside: Trail, actor: Actor<SessionOwner>, user: SessionUser, ids: string[]): Promise<void> {
      const { id: userId, username: name, tenantId } = user
      const targets = ids.map((id) => ({ type: 'session' as const, id, name, tenantId }))
      return recordAll(
        inside,
        actor,
        targets.map((target) => ({ action: 'session.end', target, before: { userId } })),
      )
    },
  }
}

export type Audit = ReturnType<typeof createAudit>
