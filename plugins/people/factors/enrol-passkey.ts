import type { Repositories } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { BeginPasskeyRequest, PasskeyCreationOptions, RegisterPasskeyRequest } from '../../../schemas/passkeys.js'
import type { CompleteOptions } from '../../entry/complete.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { AddedFactor, AddFactor } from './add-factor.js'
import { passkeyRecord } from './factor-records.js'

const maxPasskeys = 20
const firstName = 'Passkey'

/** Users set up passkeys. */
export const createEnrolPasskey = (
  { clock, db, secondFactor: { passkeys, passkeyAmr } }: Needs<'clock' | 'db' | 'secondFactor'>,
  addFactor: AddFactor,
  readName: (field: string, text: string) => string,
) => {
  const checkRoom = async (source: Pick<Repositories, 'passkeys'>, { id }: User): Promise<void> => {
    if ((await source.passkeys.ofUser(id)).length >= maxPasskeys) throw problem('factor_limit_reached')
  }

  return {
    /**
     * What the browser is asked to make. Throws `fresh_sign_in_required` for a first factor, `step_up_required` for another one,
     * `factor_limit_reached`, `unsupported_auth_type`, and `invalid_grant` for a ticket.
     */
    async begin(
      caller: SessionOwner | undefined,
      { ticket, password, ...proof }: BeginPasskeyRequest,
      client: ClientContext,
    ): Promise<PasskeyCreationOptions> {
      const enroller = await addFactor.readEnroller(caller, ticket)
      await addFactor.checkFresh(enroller, password, client)
      await addFactor.proveContact(enroller, proof, client, true)
      await checkRoom(db, enroller.user)
      return passkeys.creationOptions(enroller.user, enroller.owner)
    },

    /**
     * Stores what the browser has made for these options. With a ticket it then starts the session. Throws `invalid_grant`,
     * `factor_limit_reached`, and `factor_exists` for a credential id that anybody has.
     */
    async register(
      caller: SessionOwner | undefined,
      { credential, name: sentName, ticket, ...proof }: RegisterPasskeyRequest,
      client: ClientContext,
      options: CompleteOptions = {},
    ): Promise<AddedFactor> {
      if (credential === undefined) throw invalidField('credential', 'required')
      const enroller = await addFactor.readEnroller(caller, ticket)
      const { user, owner } = enroller
      const name = readName('name', sentName ?? firstName)
      await addFactor.proveContact(enroller, proof, client)
      const { made, use } = await passkeys.verifyNew(credential, owner)
      if (await db.passkeys.find(made.credentialId)) throw problem('factor_exists')
      const now = clock.now()
      const passkey = { id: randomId(), userId: user.id, name, ...made, createTime: now, lastUsedTime: now }
      return addFactor.add(
        enroller,
        {
          factor: passkeyRecord(passkey),
          proved: { kind: 'passkey', amr: [...passkeyAmr, 'mfa'] },
          checkRoom,
          async add(inside) {
            await use(inside)
            if (!(await inside.passkeys.add(passkey))) throw problem('factor_exists')
          },
        },
        client,
        options,
      )
    },
  }
}
