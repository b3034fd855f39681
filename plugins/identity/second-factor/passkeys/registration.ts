import { randomBytes } from 'node:crypto'
import type { Passkey } from '../../../../db/repositories/passkeys.js'
import type { User } from '../../../../db/repositories/users.js'
import type { Needs } from '../../../../lib/needs.js'
import type { PasskeyCreationOptions } from '../../../../schemas/passkeys.js'
import type { UseProof } from '../../../sessions/sessions/start.js'
import { refuse, refuseWhatThrows, type Ceremonies } from './ceremony.js'
import { challengeLifetime } from './challenges.js'
import { readRegistration } from './credential.js'
import { webAuthn } from './web-authn.js'

const handleBytes = 32

/** A passkey that was made and is not stored. */
export type NewPasskey = Omit<Passkey, 'id' | 'userId' | 'name' | 'createTime' | 'lastUsedTime'>

/** A registration that was checked. `use` uses its challenge up; throws `invalid_grant`. */
export interface CheckedRegistration {
  made: NewPasskey
  use: UseProof
}

/**
 * Attestations say who made an authenticator; none is asked for. What comes all the same is refused unless it has no certificate: the
 * library would ask addresses in it whether it was revoked.
 */
const checkAttestation = async (attestationObject: string): Promise<void> => {
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'))
  const attestation = await webAuthn('decodeAttestationObject', bytes)
  const isPlain = ['none', 'packed'].includes(attestation.get('fmt'))
  if (!isPlain || attestation.get('attStmt').get('x5c') !== undefined)
    throw new Error('an attestation with certificates')
}

/** Makes passkeys (WebAuthn 7.1). `boundTo` is the session or ticket of the user. */
export const createPasskeyRegistration = (
  { db, installation }: Needs<'db' | 'installation'>,
  { challenges, ceremony, relyingParty }: Ceremonies,
) => {
  const { serviceName } = installation.settings

  return {
    /** What the browser is asked to make. Stores a user handle for the account. */
    async creationOptions(user: User, boundTo: string): Promise<PasskeyCreationOptions> {
      const { rpId } = relyingParty()
      const handle = await db.factorStates.keepHandle(user.id, randomBytes(handleBytes).toString('base64url'))
      const known = await db.passkeys.ofUser(user.id)
      const options = await webAuthn('generateRegistrationOptions', {
        rpName: serviceName,
        rpID: rpId,
        userName: user.username,
        userDisplayName: user.realName || user.username,
        userID: new Uint8Array(Buffer.from(handle, 'base64url')),
        challenge: new Uint8Array(Buffer.from(challenges.issue({ purpose: 'register', boundTo }), 'base64url')),
        timeout: challengeLifetime * 1000,
        attestationType: 'none',
        excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports: transports as never })),
        // Without a resident key a sign-in without a name cannot find it; old security keys have no room for one.
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      })
      return options as PasskeyCreationOptions
    },

    /** Checks what the browser has made. Throws `invalid_grant`. */
    async verifyNew(sent: unknown, boundTo: string): Promise<CheckedRegistration> {
      const party = relyingParty()
      const credential = readRegistration(sent) ?? refuse('no credential of a registration, or one above 16 KiB')
      const { clientDataJSON, attestationObject, transports = [] } = credential.response
      const data = ceremony.checkClientData(clientDataJSON, { purpose: 'register', boundTo }, party)
      const { verified, registrationInfo } = await refuseWhatThrows(async () => {
        await checkAttestation(attestationObject)
        return webAuthn('verifyRegistrationResponse', {
          response: { ...credential, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } },
          expectedChallenge: data.challenge,
          expectedOrigin: party.origins,
          expectedRPID: party.rpId,
          requireUserVerification: false,
        })
      })
      if (!verified || registrationInfo.credential.id !== credential.id)
        return refuse('a registration that is not right')
      const { credential: made, userVerified, credentialDeviceType, credentialBackedUp, aaguid } = registrationInfo
      const passkey: NewPasskey = {
        credentialId: made.id,
        publicKey: Buffer.from(made.publicKey).toString('base64url'),
        signCount: made.counter,
        backupEligible: credentialDeviceType === 'multiDevice',
        backedUp: credentialBackedUp,
        userVerified,
        discoverable: credential.clientExtensionResults?.credProps?.rk ?? null,
        transports: [...new Set(transports)],
        aaguid,
        rpId: party.rpId,
      }
      return { made: passkey, use: (inside) => ceremony.useChallenge(inside, data) }
    },
  }
}
