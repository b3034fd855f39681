import { sql, type Insertable, type Kysely, type RawBuilder, type Selectable } from 'kysely'
import { userStatuses } from '../../schemas/user.js'
import type { Keeps } from '../keeps.js'
import { compileQuery } from '../query.js'
import type { ApiTokenTable, Tables } from '../tables.js'
import { readTokenOwner, toApiToken, type ApiToken, type FindOwner } from './session-owner.js'
import { readTokenPage } from './token-page.js'

export type { ApiToken } from './session-owner.js'

/** What this repository keeps. */
export const keeps = {
  api_tokens: { key: ['id'], ofUser: 'user_id', expires: { column: 'kept_until' } },
} satisfies Keeps

/** People can see for this time when a token has ended. Milliseconds. */
const keptAfterEnd = 30 * 24 * 3600 * 1000

export interface NewApiToken extends Omit<ApiToken, 'lastUsedTime' | 'lastUsedIp' | 'endTime'> {
  tokenHash: string
}

const toRow = (token: NewApiToken): Insertable<ApiTokenTable> => ({
  id: token.id,
  user_id: token.userId,
  tenant_id: token.tenantId,
  token_hash: token.tokenHash,
  start: token.start,
  name: token.name,
  permissions: token.permissions && JSON.stringify(token.permissions),
  addresses: token.addresses && JSON.stringify(token.addresses),
  acr: token.acr,
  created_by: token.createdBy,
  create_time: token.createTime,
  expiry: token.expiry,
  last_used_time: null,
  last_used_ip: null,
  end_time: null,
  kept_until: token.expiry === null ? null : token.expiry + keptAfterEnd,
})

const live = (db: Kysely<Tables>, now: number) =>
  db
    .selectFrom('api_tokens')
    .where('end_time', 'is', null)
    .where((either) => either.or([either('expiry', 'is', null), either('expiry', '>', now)]))
const selectLiveOfUser = compileQuery((db, { userId, now }: { userId: number; now: number }) =>
  live(db, now).selectAll().where('user_id', '=', userId).orderBy('create_time', 'desc').orderBy('id'),
)

/** A repository of a transaction finds without a cache, because it must see what the transaction has written. */
export const createApiTokenRepository = (
  db: Kysely<Tables>,
  find: FindOwner = (tokenHash) => readTokenOwner(db, tokenHash),
) => ({
  /** The owner of a token, by the hash of the token. */
  find,

  async add(token: NewApiToken): Promise<void> {
    await db.insertInto('api_tokens').values(toRow(token)).execute()
  },

  /** Those of a user that are neither ended nor expired, latest first. */
  liveOfUser: async (userId: number, now: number): Promise<ApiToken[]> =>
    (await selectLiveOfUser(db, { userId, now })).map(toApiToken),

  /** One that is neither ended nor expired. */
  async findLive(id: string, now: number): Promise<ApiToken | undefined> {
    const row = await live(db, now).selectAll().where('id', '=', id).executeTakeFirst()
    return row && toApiToken(row)
  },

  /** How many are live, and of them: without an end, not used since `unusedSince` (epoch milliseconds), and of users who may not sign in. */
  async count(now: number, unusedSince: number) {
    const countIf = (condition: RawBuilder<boolean>) => sql<number | string>`count(case when ${condition} then 1 end)`
    const row = await db
      .selectFrom('api_tokens')
      .innerJoin('users', 'users.id', 'api_tokens.user_id')
      .select(({ fn }) => [
        fn.countAll<number | string>().as('live'),
        countIf(sql`api_tokens.expiry is null`).as('endless'),
        countIf(sql`coalesce(api_tokens.last_used_time, api_tokens.create_time) < ${unusedSince}`).as('unused'),
        countIf(sql`users.user_status <> ${sql.lit(userStatuses.normal)}`).as('disabled'),
      ])
      .where('api_tokens.end_time', 'is', null)
      .where((either) => either.or([either('api_tokens.expiry', 'is', null), either('api_tokens.expiry', '>', now)]))
      .executeTakeFirstOrThrow()
    const { live: all, endless, unused, disabled } = row
    return { live: Number(all), endless: Number(endless), unused: Number(unused), disabled: Number(disabled) }
  },

  /** Those of all users, with their owners. */
  page: (...[filter, page, now, steps]: OmitFirst<Parameters<typeof readTokenPage>>) =>
    readTokenPage(db, filter, page, now, steps),

  async touch(id: string, now: number, address: string): Promise<void> {
    await db
      .updateTable('api_tokens')
      .set({ last_used_time: now, last_used_ip: address })
      .where('id', '=', id)
      .where('end_time', 'is', null)
      .execute()
  },

  /** Ends live tokens of a user, all or those that are named; returns which. */
  async end(userId: number, now: number, ids?: string[]): Promise<ApiToken[]> {
    let query = db
      .updateTable('api_tokens')
      .set({ end_time: now, kept_until: now + keptAfterEnd })
      .where('user_id', '=', userId)
      .where('end_time', 'is', null)
      .where((either) => either.or([either('expiry', 'is', null), either('expiry', '>', now)]))
    if (ids !== undefined) query = query.where('id', 'in', ids)
    const rows: Selectable<ApiTokenTable>[] = await query.returningAll().execute()
    return rows.map(toApiToken)
  },

  /** Live tokens that expire between the two times (epoch milliseconds), by id after `after`; at most `limit`. */
  async expiringBetween(from: number, to: number, after: string, limit: number): Promise<ApiToken[]> {
    const rows = await live(db, from)
      .selectAll()
      .where('expiry', '>', from)
      .where('expiry', '<=', to)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toApiToken)
  },
})

type OmitFirst<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never

export type ApiTokenRepository = ReturnType<typeof createApiTokenRepository>
