import type { Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { problem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { BeginTotpRequest, ConfirmTotpRequest, TotpEnrolment } from '../../../schemas/factors.js'
import type { CompleteOptions } from '../../entry/complete.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { AddedFactor, AddFactor, FactorToAdd } from './add-factor.js'
import { totpRecord } from './factor-records.js'

const maxApps = 5
const firstName = 'Authenticator app'

/** Users set up authenticator apps. */
export const createEnrol = (
  { clock, db, encryption, secondFactor }: Needs<'clock' | 'db' | 'encryption' | 'secondFactor'>,
  addFactor: AddFactor,
  readName: (field: string, text: string) => string,
) => {
  const { enrolments, purposeOf } = secondFactor

  const checkRoom = async ({ totpSecrets }: Pick<Repositories, 'totpSecrets'>, { id }: User): Promise<void> => {
    if ((await totpSecrets.ofUser(id)).length >= maxApps) throw problem('factor_limit_reached')
  }

  return {
    /**
     * A new secret for an authenticator app, which does not touch the one that works. Throws `fresh_sign_in_required` for a first
     * factor, `step_up_required` for another one, `factor_limit_reached`, and `invalid_grant` for a ticket.
     */
    async begin(
      caller: SessionOwner | undefined,
      { ticket, password, ...proof }: BeginTotpRequest,
      client: ClientContext,
    ): Promise<TotpEnrolment> {
      const enroller = await addFactor.readEnroller(caller, ticket)
      await addFactor.checkFresh(enroller, password, client)
      await addFactor.proveContact(enroller, proof, client, true)
      await checkRoom(db, enroller.user)
      return enrolments.begin(enroller.owner, enroller.user.username)
    },

    /** Stores the app whose code is right. With a ticket it then starts the session. Throws `invalid_code` and `invalid_grant`. */
    async confirm(
      caller: SessionOwner | undefined,
      { key, code, name: sentName, ticket, ...proof }: ConfirmTotpRequest,
      client: ClientContext,
      options: CompleteOptions = {},
    ): Promise<AddedFactor> {
      const enroller = await addFactor.readEnroller(caller, ticket)
      const { user, owner } = enroller
      const name = readName('name', sentName ?? firstName)
      await addFactor.proveContact(enroller, proof, client)
      const { secret, step } = await enrolments.check(owner, key, code)
      const [id, now] = [randomId(), clock.now()]
      const times = { createTime: now, lastUsedTime: now }
      const toAdd: FactorToAdd = {
        factor: totpRecord({ id, name, ...times }),
        proved: { kind: 'totp', amr: ['otp', 'mfa'] },
        checkRoom,
        add: ({ totpSecrets }) =>
          totpSecrets.add({
            ...{ id, userId: user.id, name, encryptedSecret: encryption.encrypt(secret, purposeOf(id)) },
            ...{ lastStep: step, ...times },
          }),
      }
      return enrolments.spend(owner, key, () => addFactor.add(enroller, toAdd, client, options))
    },
  }
}
