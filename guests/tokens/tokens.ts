import { pageNumbers, toPage } from '../../db/paging.js'
import type { ApiToken, NewApiToken as StoredToken } from '../../db/repositories/api-tokens.js'
import type { AuthenticationContext, SessionOwner } from '../../db/repositories/session-owner.js'
import type { ListedToken } from '../../db/repositories/token-page.js'
import type { Repositories } from '../../db/repositories/index.js'
import type { User } from '../../db/repositories/users.js'
import type { Needs } from '../../lib/needs.js'
import type { Actor } from '../../lib/actor.js'
import { apiTokenHash, apiTokenStart, makeApiToken } from '../../lib/api-token.js'
import { isRange } from '../../lib/ip-ranges.js'
import { coversAll } from '../../lib/permissions.js'
import { invalidField, problem } from '../../lib/problem.js'
import { randomArgument } from '../../lib/random-id.js'
import { toTime } from '../../lib/time-text.js'
import { isVisible as isVisibleText } from '../../lib/visible-text.js'
import { readToChange, readManaged } from '../../plugins/people/manage/change.js'
import { isVisible, visibleTenant } from '../../plugins/people/manage/policy.js'
import { userTypes } from '../../schemas/user.js'
import { rules } from './rules.js'
import type {
  ApiTokenPage,
  ApiTokenQuery,
  ApiTokenRecord,
  MadeApiToken,
  ManagedApiToken,
  NewApiToken,
} from './schemas.js'

/** Live tokens of one account: a person has few jobs, a service account may serve many. */
const maxTokens = { person: 20, service: 100 }
const presetDays = 90
const day = 24 * 3600 * 1000

const toTimeOrNull = (time: number | null): string | null => (time === null ? null : toTime(time))

const toRecord = (token: ApiToken): ApiTokenRecord => ({
  id: token.id,
  name: token.name,
  start: token.start,
  permissions: token.permissions,
  addresses: token.addresses,
  createTime: toTime(token.createTime),
  expiry: toTimeOrNull(token.expiry),
  lastUsedTime: toTimeOrNull(token.lastUsedTime),
  lastUsedIp: token.lastUsedIp,
})

const toManaged = ({ token, username, realName, userType, tenantName }: ListedToken): ManagedApiToken => ({
  ...toRecord(token),
  userId: token.userId,
  username,
  realName,
  userType: userType,
  tenantId: token.tenantId,
  tenantName,
})

const targetOf = ({ id, name, tenantId }: Pick<ApiToken, 'id' | 'name' | 'tenantId'>) => ({
  type: 'token' as const,
  id,
  name,
  tenantId,
})

/** What is asked of a token, without the proof that its maker is the person. */
export type WantedToken = Omit<NewApiToken, 'password'>

/** Makes, lists and ends API tokens. All changes are recorded in the audit trail. */
export const createTokens = (needs: Needs<'audit' | 'clock' | 'db' | 'installation' | 'lists' | 'timeZone'>) => {
  const { audit, clock, db, lists, timeZone } = needs
  const settings = needs.installation.settings.tokens

  const expiryOf = (days: number | null | undefined, now: number): number | null => {
    if (days === null && !settings.allowEndless) throw invalidField('days', rules.endless)
    if (days === null) return null
    const { maxDays } = settings
    if (days !== undefined && days > maxDays) throw invalidField('days', rules.days, { limit: maxDays })
    return now + (days ?? Math.min(presetDays, maxDays)) * day
  }

  const check = ({ name, addresses }: WantedToken): void => {
    if (!isVisibleText(name)) throw invalidField('name', 'name', { limit: 100 })
    if (addresses?.some((text) => !isRange(text)) === true) throw invalidField('addresses', rules.address)
  }

  /** Throws `too_many_tokens`, `permission_denied` where the owner lacks a permission, and `invalid_request`. */
  const add = async (
    actor: Actor<SessionOwner>,
    userId: number,
    wanted: WantedToken,
    acr: AuthenticationContext,
    checkOwner: (inside: Repositories) => Promise<{ user: User; permissions: string[] }>,
  ): Promise<MadeApiToken> => {
    check(wanted)
    const now = clock.now()
    const expiry = expiryOf(wanted.days, now)
    const token = makeApiToken()
    return db.transaction(
      async (inside) => {
        const { user, permissions: granted } = await checkOwner(inside)
        const permissions = wanted.permissions ?? null
        if (permissions && !coversAll(granted, permissions))
          throw actor.caller ? problem('permission_denied') : invalidField('permissions', rules.beyond)
        const limit = user.userType === userTypes.service ? maxTokens.service : maxTokens.person
        if ((await inside.apiTokens.liveOfUser(userId, now)).length >= limit) throw problem('too_many_tokens')
        const made: StoredToken = {
          ...{ id: randomArgument(), userId, tenantId: user.tenantId, name: wanted.name, acr, expiry, permissions },
          addresses: wanted.addresses ?? null,
          start: apiTokenStart(token),
          tokenHash: apiTokenHash(token),
          createdBy: actor.caller?.user.id ?? null,
          createTime: now,
        }
        await inside.apiTokens.add(made)
        const after = { userId, username: user.username, start: made.start, expiry: toTimeOrNull(expiry) }
        const limits = { permissions: permissions ?? undefined, addresses: made.addresses ?? undefined }
        await audit.record(inside, actor, {
          action: 'token.add',
          target: targetOf(made),
          after: { ...after, ...limits },
        })
        return { ...toRecord({ ...made, lastUsedTime: null, lastUsedIp: null, endTime: null }), token }
      },
      { user: userId },
    )
  }

  const end = async (
    inside: Repositories,
    actor: Actor<SessionOwner>,
    user: Pick<User, 'id' | 'username'>,
    ids?: string[],
  ): Promise<number> => {
    const ended = await inside.apiTokens.end(user.id, clock.now(), ids)
    for (const token of ended) {
      const before = { userId: user.id, username: user.username, start: token.start }
      await audit.record(inside, actor, { action: 'token.end', target: targetOf(token), before })
    }
    return ended.length
  }

  return {
    own: {
      list: async ({ user }: SessionOwner): Promise<ApiTokenRecord[]> =>
        (await db.apiTokens.liveOfUser(user.id, clock.now())).map(toRecord),

      /** The caller has proved to be the person. */
      add: (actor: Actor<SessionOwner>, caller: SessionOwner, wanted: WantedToken): Promise<MadeApiToken> =>
        add(actor, caller.user.id, wanted, caller.session.acr, async (inside) => {
          const user = await inside.users.find(caller.user.id)
          if (!user) throw problem('session_revoked')
          return { user, permissions: (await inside.roles.grantsOf(user.id)).permissions }
        }),

      /** Throws `not_found`. */
      end: (actor: Actor<SessionOwner>, { user }: SessionOwner, id: string): Promise<void> =>
        db.transaction(
          async (inside) => {
            if ((await end(inside, actor, user, [id])) === 0) throw problem('not_found')
          },
          { user: user.id },
        ),
    },

    /** Those of a user. Throws `not_found`. */
    async ofUser(actor: Actor<SessionOwner>, userId: number): Promise<ApiTokenRecord[]> {
      const user = await db.users.find(userId)
      if (!user || !isVisible(actor, user.tenantId)) throw problem('not_found')
      return (await db.apiTokens.liveOfUser(userId, clock.now())).map(toRecord)
    },

    /** Makes one of a service account. Throws `not_found`, `own_account`, `permission_denied`, and `invalid_request` for a person. */
    addFor: (actor: Actor<SessionOwner>, userId: number, wanted: WantedToken): Promise<MadeApiToken> =>
      add(actor, userId, wanted, actor.caller?.session.acr ?? 'aal2', async (inside) => {
        const { user, grants } = await readToChange(inside, actor, userId)
        if (user.userType !== userTypes.service && actor.caller) throw invalidField('id', rules.person)
        return { user, permissions: grants.permissions }
      }),

    /** Ends one of anybody. Throws `not_found`, `own_account` and `permission_denied`. */
    endOf: (actor: Actor<SessionOwner>, userId: number, id: string): Promise<void> =>
      db.transaction(
        async (inside) => {
          const { user } = await readToChange(inside, actor, userId)
          if ((await end(inside, actor, user, [id])) === 0) throw problem('not_found')
        },
        { user: userId },
      ),

    /** The live tokens that the actor may see, latest first. Throws `invalid_request` and `too_many_requests`. */
    async page(actor: Actor<SessionOwner>, query: ApiTokenQuery, closed?: () => AbortSignal): Promise<ApiTokenPage> {
      const wanted = toPage(query)
      if (query.tenantId !== undefined && !isVisible(actor, query.tenantId))
        return { records: [], ...pageNumbers(0, wanted) }
      const filter = {
        keyword: query.keyword,
        userId: query.userId,
        tenantId: visibleTenant(actor) ?? query.tenantId,
        expiresBefore: timeZone.readTime('expiresBefore', query.expiresBefore, false),
        unusedSince: timeZone.readTime('unusedSince', query.unusedSince, false),
      }
      const { caller } = actor
      const { rows, total } = await lists.read({ caller, closed }, { list: 'tokens', filter }, (steps) =>
        db.apiTokens.page(filter, wanted, clock.now(), steps),
      )
      return { records: rows.map(toManaged), ...pageNumbers(total, wanted) }
    },

    /** The account for commands. Throws `not_found`. */
    findOwner: async (id: number) => readManaged(db, id),
  }
}

export type Tokens = ReturnType<typeof createTokens>
