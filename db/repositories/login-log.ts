import { sql, type Insertable, type Kysely, type Selectable, type SelectQueryBuilder } from 'kysely'
import type { Keeps } from '../keeps.js'
import { contains } from '../contains.js'
import { containsText, equals, isNull, readPageInSteps, type Match, type SteppedList } from '../lists/page-in-steps.js'
import type { Steps } from '../lists/steps.js'
import { inOrderOf, type Page } from '../paging.js'
import { compileInsert, compileQuery } from '../query.js'
import { fold } from '../fold.js'
import type { LoginLogTable, Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  login_log: { key: ['id'], expires: { column: 'time', keptFor: 'loginLog' } },
} satisfies Keeps

/** One attempt to sign in, or equal refusals within one hour. */
export interface LoginEvent {
  /** Epoch milliseconds, of the latest attempt. */
  time: number
  /** The same of the first attempt. */
  firstTime: number
  tries: number
  tenantId: number
  /** User name, phone number or e-mail address as submitted; masked when there is no such user. */
  subject: string
  /** The user who signed in; null for a refusal. */
  userId: number | null
  authType: string
  userClient: string
  address: string
  userAgent: string
  /** Reason of the refusal; null for a success. */
  reason: string | null
}

export type NewLoginEvent = Omit<LoginEvent, 'firstTime' | 'tries'>

export interface LoginLogFilter {
  tenantId?: number | undefined
  subject?: string | undefined
  refusedOnly: boolean
  since?: number | undefined
  limit: number
}

export interface LoginRow extends LoginEvent {
  id: number
}

/** Where a row is in the order of time. */
export interface OutcomePlace {
  time: number
  id: number
}

export interface LoginPageFilter {
  tenantId?: number | undefined
  userId?: number | undefined
  /** Contained, case-insensitive. */
  subject?: string | undefined
  /** Texts that are not contained. */
  subjectWithout?: string[] | undefined
  reason?: string | undefined
  authType?: string | undefined
  address?: string | undefined
  userClient?: string | undefined
  refusedOnly: boolean
  succeededOnly?: boolean
  /** Epoch milliseconds, both inclusive. */
  timeFrom?: number | undefined
  timeTo?: number | undefined
}

const insertEvent = compileInsert((db, rows: Insertable<LoginLogTable>[]) =>
  db
    .insertInto('login_log')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('refusal_key')
        .doUpdateSet((row) => ({ time: row.ref('excluded.time'), tries: sql<number>`login_log.tries + 1` })),
    ),
)
const countRefusal = compileQuery((db, { key, time }: { key: string; time: number }) =>
  db
    .updateTable('login_log')
    .set((row) => ({ time, tries: row('tries', '+', 1) }))
    .where('refusal_key', '=', key)
    .returning('id'),
)

type LogRow = Selectable<LoginLogTable>

const toEvent = (row: LogRow): LoginEvent => ({
  time: row.time,
  firstTime: row.first_time ?? row.time,
  tries: row.tries,
  tenantId: row.tenant_id,
  subject: row.subject,
  userId: row.user_id,
  authType: row.auth_type,
  userClient: row.user_client,
  address: row.address,
  userAgent: row.user_agent,
  reason: row.reason,
})

/** A right password that needs a second step is in the log with one of these. The sign-in goes on: it is no refusal. */
export const reasonsToGoOn = ['second_factor_required', 'second_factor_setup_required']

const isRefused = sql<boolean>`(reason is not null and reason not in (${sql.join(reasonsToGoOn.map((reason) => sql.lit(reason)))}))`

/** What no index finds. */
const matchesOf = (filter: LoginPageFilter): Match[] => {
  const { subject, subjectWithout = [], reason, authType, address, userClient, refusedOnly, succeededOnly } = filter
  const values = { reason, auth_type: authType, address, user_client: userClient }
  const matches = Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [equals(column, value)],
  )
  if (subject !== undefined) matches.push(containsText('subject', subject))
  for (const text of subjectWithout)
    matches.push({ column: 'subject', condition: sql<boolean>`not ${contains('subject', text)}` })
  if (refusedOnly) matches.push({ column: 'reason', condition: isRefused })
  if (succeededOnly === true) matches.push(isNull('reason'))
  return matches
}

/** Rows that are read at once and compared. */
const batch = 1000

/** The latest rows with this subject. They are compared here, because the database does not know `fold`. */
const firstOf = async (
  ordered: SelectQueryBuilder<Tables, 'login_log', LogRow>,
  subject: string,
  limit: number,
): Promise<LogRow[]> => {
  const key = fold(subject)
  const found: LogRow[] = []
  let rows = await ordered.limit(batch).execute()
  for (let last = rows.at(-1); last && found.length < limit; last = rows.at(-1)) {
    found.push(...rows.filter((row) => fold(row.subject) === key))
    const { time, id } = last
    const older = ordered.where((row) => row(row.refTuple('time', 'id'), '<', row.tuple(time, id)))
    rows = await older.limit(batch).execute()
  }
  return found.slice(0, limit)
}

export type LoginLogRepository = ReturnType<typeof createLoginLogRepository>

export const createLoginLogRepository = (db: Kysely<Tables>) => ({
  /** Adds an event, or counts it when there are refusals with its key. */
  async add(event: NewLoginEvent, refusalKey: string | null): Promise<void> {
    await insertEvent(db, [
      {
        time: event.time,
        tenant_id: event.tenantId,
        subject: event.subject,
        user_id: event.userId,
        auth_type: event.authType,
        user_client: event.userClient,
        address: event.address,
        user_agent: event.userAgent,
        reason: event.reason,
        first_time: event.time,
        refusal_key: refusalKey,
      },
    ])
  },

  /** Counts an event with the refusals that have its key. False when there are none. */
  addToRefusals: async ({ time }: Pick<NewLoginEvent, 'time'>, key: string): Promise<boolean> =>
    (await countRefusal(db, { key, time })).length > 0,

  /** Latest first. */
  async list({ tenantId, subject, refusedOnly, since, limit }: LoginLogFilter): Promise<LoginEvent[]> {
    let query = db.selectFrom('login_log').selectAll()
    if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId)
    if (refusedOnly) query = query.where(isRefused)
    if (since !== undefined) query = query.where('time', '>=', since)
    const ordered = query.orderBy('time', 'desc').orderBy('id', 'desc')
    const rows = await (subject === undefined ? ordered.limit(limit).execute() : firstOf(ordered, subject, limit))
    return rows.map(toEvent)
  },

  async find(id: number): Promise<LoginRow | undefined> {
    const row = await db.selectFrom('login_log').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { id: row.id, ...toEvent(row) }
  },

  /** Ordered by time, then by id. */
  async page(
    filter: LoginPageFilter,
    page: Page,
    direction: 'asc' | 'desc',
    steps: Steps,
  ): Promise<{ rows: LoginRow[]; total: number }> {
    const { tenantId, userId, timeFrom: from, timeTo: to } = filter
    const ofTenant = tenantId === undefined ? [] : [equals('tenant_id', tenantId)]
    const ofUser = userId === undefined ? [] : [equals('user_id', userId)]
    // The index of a user is the shorter one.
    const [indexed, rest] = userId === undefined ? [ofTenant, []] : [ofUser, ofTenant]
    const walk = { matches: indexed, order: ['time', 'id'], direction }
    const list: SteppedList<'login_log'> = {
      db,
      table: 'login_log',
      walk,
      from,
      to,
      matches: [...rest, ...matchesOf(filter)],
    }
    const { ids, total } = await readPageInSteps(list, page, steps)
    if (ids.length === 0) return { rows: [], total }
    const rows = await db.selectFrom('login_log').selectAll().where('id', 'in', ids).execute()
    return { rows: inOrderOf(ids, rows).map((row) => ({ id: row.id, ...toEvent(row) })), total }
  },

  /** What came of the attempts of a time, oldest first: up to `limit` rows after one. `tenantId` undefined means all. */
  async outcomes(
    { tenantId, from, to }: { tenantId: number | undefined; from: number; to: number },
    after: OutcomePlace | undefined,
    limit: number,
  ): Promise<(OutcomePlace & Pick<LoginEvent, 'reason' | 'tries'>)[]> {
    let query = db.selectFrom('login_log').select(['time', 'id', 'reason', 'tries']).where('time', '<', to)
    if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId)
    const begun = after
      ? query.where((row) => row(row.refTuple('time', 'id'), '>', row.tuple(after.time, after.id)))
      : query.where('time', '>=', from)
    return begun.orderBy('time').orderBy('id').limit(limit).execute()
  },

  /** The latest time up to `time`; undefined when there is none. */
  async newest(time: number): Promise<number | undefined> {
    const query = db.selectFrom('login_log').select('time').where('time', '<=', time)
    return (await query.orderBy('time', 'desc').limit(1).executeTakeFirst())?.time
  },

  /** Time of the last attempt, whatever the clock said before; undefined when there was none. */
  async last(): Promise<number | undefined> {
    const query = db.selectFrom('login_log').select('time').orderBy('id', 'desc')
    return (await query.limit(1).executeTakeFirst())?.time
  },

  /** Number of rows, or a few more: deleted ones in the middle are counted. It reads two rows only. */
  async size(): Promise<number> {
    const ids = (direction: 'asc' | 'desc') =>
      db.selectFrom('login_log').select('id').orderBy('id', direction).limit(1).executeTakeFirst()
    const [first, last] = [await ids('asc'), await ids('desc')]
    return first && last ? last.id - first.id + 1 : 0
  },
})
