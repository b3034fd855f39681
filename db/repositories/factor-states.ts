import type { Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import type { Flag, Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  factor_states: { key: ['user_id'], ofUser: 'user_id' },
} satisfies Keeps

/** What is known of the second factors of a user beside the factors themselves. */
export interface FactorState {
  /** 32 random bytes, base64url: the user in WebAuthn, never the id. Undefined until it is needed. */
  userHandle: string | undefined
  /** Until when the user may sign in without a required factor; undefined before the first such sign-in. Epoch milliseconds. */
  setupDeadline: number | undefined
  /** Whether no policy asks this account for a factor. */
  exempt: boolean
}

const nothing: FactorState = { userHandle: undefined, setupDeadline: undefined, exempt: false }

export const createFactorStateRepository = (db: Kysely<Tables>) => {
  const add = async (userId: number): Promise<void> => {
    await db
      .insertInto('factor_states')
      .values({ user_id: userId, user_handle: null, setup_deadline: null, exempt: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  const find = async (userId: number): Promise<FactorState> => {
    const row = await db.selectFrom('factor_states').selectAll().where('user_id', '=', userId).executeTakeFirst()
    if (!row) return nothing
    const { user_handle: userHandle, setup_deadline: setupDeadline, exempt } = row
    return { userHandle: userHandle ?? undefined, setupDeadline: setupDeadline ?? undefined, exempt: exempt === 1 }
  }

  return {
    find,

    /** Stores a user handle unless there is one; resolves to the one that is stored. */
    async keepHandle(userId: number, userHandle: string): Promise<string> {
      await add(userId)
      await db
        .updateTable('factor_states')
        .set({ user_handle: userHandle })
        .where('user_id', '=', userId)
        .where('user_handle', 'is', null)
        .execute()
      return (await find(userId)).userHandle ?? userHandle
    },

    /** Stores a deadline unless there is one: nothing extends it. */
    async keepDeadline(userId: number, deadline: number): Promise<void> {
      await add(userId)
      await db
        .updateTable('factor_states')
        .set({ setup_deadline: deadline })
        .where('user_id', '=', userId)
        .where('setup_deadline', 'is', null)
        .execute()
    },

    /** How many accounts have no factor although their deadline is over. */
    async countLate(now: number): Promise<number> {
      const { count } = await db
        .selectFrom('factor_states')
        .innerJoin('users', 'users.id', 'factor_states.user_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('factor_states.setup_deadline', '<=', now)
        .where('factor_states.exempt', '=', 0)
        .where('users.has_second_factor', '=', 0)
        .executeTakeFirstOrThrow()
      return count
    },

    async setExempt(userId: number, exempt: boolean): Promise<void> {
      await add(userId)
      const flag: Flag = exempt ? 1 : 0
      await db.updateTable('factor_states').set({ exempt: flag }).where('user_id', '=', userId).execute()
    },
  }
}
