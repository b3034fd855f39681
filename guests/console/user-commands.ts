import { userStatuses } from '../../schemas/user.js'
import type { Management } from '../../plugins/people/manage/management.js'
import type { Manager } from '../../plugins/people/manage/policy.js'
import { namesRow } from './named-row.js'

/** The buttons of the list of users. */
export const createUserCommands = (management: Pick<Management, 'act' | 'batch' | 'setPassword'>) => ({
  setStatus: (actor: Manager, id: number, status: number): Promise<void> =>
    namesRow(() => management.act(actor, id, status === userStatuses.disabled ? 'disable' : 'enable')),

  /** Enables a user, ends a lockout and a ban: the front end has one button for all. */
  untieDisable: (actor: Manager, id: number): Promise<void> =>
    namesRow(async () => {
      await management.act(actor, id, 'enable')
      await management.act(actor, id, 'unlock')
    }),

  setPassword: (actor: Manager, id: number, password: string): Promise<void> =>
    namesRow(() => management.setPassword(actor, id, password)),

  remove: (actor: Manager, id: number): Promise<void> => namesRow(() => management.act(actor, id, 'delete')),

  async removeMany(actor: Manager, ids: number[]): Promise<void> {
    await management.batch(actor, { ids, action: 'delete' })
  },
})
