import type { Passkey } from '../../../../db/repositories/passkeys.js'
import type { User } from '../../../../db/repositories/users.js'
import type { Needs } from '../../../../lib/needs.js'
import { userTarget } from '../../../../lib/user-target.js'
import { actorWithoutSession, type ActorSource } from '../../../../lib/actor.js'
import { problem } from '../../../../lib/problem.js'
import type { PasskeyRequestOptions } from '../../../../schemas/passkeys.js'
import type { UseProof } from '../../../sessions/sessions/start.js'
import { refuse, refuseWhatThrows, type Ceremonies } from './ceremony.js'
import { challengeLifetime } from './challenges.js'
import { readAssertion, type AssertionCredential } from './credential.js'
import { webAuthn } from './web-authn.js'

/** A passkey that was proved, and its owner. */
export interface ProvedPasskey {
  user: User
  passkey: Passkey
  use: UseProof
}

/** What a proof must be. */
export interface AssertionUse {
  /** The ticket or the session; absent for a sign-in by the passkey alone, which needs user verification. */
  boundTo?: string | undefined
  /** Whose passkey it must be; absent: anybody's. */
  user?: Pick<User, 'id'> | undefined
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

/** Proves passkeys (WebAuthn 7.2). */
export const createPasskeyAssertion = (
  { audit, clock, db, log, notices }: Needs<'audit' | 'clock' | 'db' | 'log' | 'notices'>,
  { challenges, ceremony, relyingParty }: Ceremonies,
) => {
  const verifySignature = async (
    credential: AssertionCredential,
    { credentialId, publicKey, transports }: Passkey,
    challenge: string,
    isFirst: boolean,
  ) => {
    const { rpId, origins } = relyingParty()
    const { verified, authenticationInfo } = await refuseWhatThrows(async () => {
      const { clientDataJSON, authenticatorData, signature } = credential.response
      return webAuthn('verifyAuthenticationResponse', {
        response: {
          ...credential,
          clientExtensionResults: {},
          response: { clientDataJSON, authenticatorData, signature },
        },
        expectedChallenge: challenge,
        expectedOrigin: origins,
        expectedRPID: rpId,
        // The counter is ours to judge: the library knows nothing of passkeys that are kept on several devices.
        credential: { id: credentialId, publicKey: bytesOf(publicKey), counter: 0, transports: transports },
        requireUserVerification: isFirst,
      })
    })
    return verified ? authenticationInfo : refuse('a wrong signature')
  }

  /** A passkey of one device whose counter does not grow exists twice. */
  const refuseCopy = async (user: User, passkey: Passkey, received: number, client: ActorSource): Promise<never> => {
    const { id, name, signCount: stored } = passkey
    log.warn({ userId: user.id, passkey: id, stored, received }, 'a passkey that may have been copied is refused')
    const target = userTarget(user)
    const after = { kind: 'passkey', name, stored, received }
    await db.transaction(
      (inside) => audit.record(inside, actorWithoutSession(user, client), { action: 'user.passkey', target, after }),
      { user: user.id },
    )
    notices.tell(user, 'passkey_copied', client, { factor: name })
    return refuse('a counter that does not grow')
  }

  return {
    /**
     * What the browser is asked to prove: for a stranger by any passkey, otherwise by one of the user. `boundTo` is the ticket or the
     * session.
     */
    async requestOptions(of?: { user: Pick<User, 'id'>; boundTo: string }): Promise<PasskeyRequestOptions> {
      const { rpId } = relyingParty()
      const known = of ? (await db.passkeys.ofUser(of.user.id)).filter((passkey) => passkey.rpId === rpId) : []
      return {
        rpId,
        challenge: challenges.issue({ purpose: 'signIn', boundTo: of?.boundTo }),
        timeout: challengeLifetime * 1000,
        // Names would tell strangers who has passkeys.
        allowCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports, type: 'public-key' })),
        userVerification: of ? 'preferred' : 'required',
      }
    },

    /** The tenant of the owner of a credential; undefined when there is no such credential. */
    async tenantOf(sent: unknown): Promise<number | undefined> {
      const credential = readAssertion(sent)
      const passkey = credential && (await db.passkeys.find(credential.id))
      return passkey && (await db.users.find(passkey.userId))?.tenantId
    },

    /**
     * Checks a passkey; `use` uses its challenge up. Both throw `invalid_grant`, this one also `unknown_credential` for an id that nobody
     * has, so that a page may tell the authenticator.
     */
    async prove(sent: unknown, { boundTo, user: owner }: AssertionUse, client: ActorSource): Promise<ProvedPasskey> {
      const party = relyingParty()
      const credential = readAssertion(sent) ?? refuse('no credential of a sign-in, or one above 16 KiB')
      const data = ceremony.checkClientData(credential.response.clientDataJSON, { purpose: 'signIn', boundTo }, party)
      const passkey = await db.passkeys.find(credential.id)
      if (!passkey) throw problem('unknown_credential')
      const isFirst = boundTo === undefined
      if (passkey.rpId !== party.rpId) refuse('a passkey of another domain')
      if (owner && owner.id !== passkey.userId) refuse('a passkey of another account')
      if (isFirst && !passkey.userVerified) refuse('a passkey that is a second factor only')
      const user = (await db.users.find(passkey.userId)) ?? refuse('a passkey without a user')
      const { userHandle } = credential.response
      if (isFirst || userHandle) {
        const state = await db.factorStates.find(user.id)
        if (userHandle !== state.userHandle) refuse('another user handle')
      }
      const { newCounter, credentialBackedUp } = await verifySignature(credential, passkey, data.challenge, isFirst)
      const isCounted = !passkey.backupEligible && (newCounter > 0 || passkey.signCount > 0)
      if (isCounted && newCounter <= passkey.signCount) return refuseCopy(user, passkey, newCounter, client)
      return {
        user,
        passkey,
        async use(inside) {
          await ceremony.useChallenge(inside, data)
          const marks = { signCount: newCounter, backedUp: credentialBackedUp, isCounted }
          if (!(await inside.passkeys.markUsed(passkey.id, marks, clock.now())))
            refuse('a passkey that was removed or used by somebody else meanwhile')
        },
      }
    },
  }
}
