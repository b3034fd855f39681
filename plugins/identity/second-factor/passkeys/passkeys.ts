import type { Database } from '../../../../db/index.js'
import type { Clock } from '../../../../lib/clock.js'
import { problem } from '../../../../lib/problem.js'
import type { RelyingParty } from '../../../../lib/relying-party.js'
import type { Audit } from '../../../record/audit/audit.js'
import type { Notices } from '../../../record/notices/notices.js'
import { createPasskeyAssertion } from './assertion.js'
import { createCeremony } from './ceremony.js'
import { createChallenges } from './challenges.js'
import { createPasskeyRegistration } from './registration.js'

interface Collaborators {
  db: Database
  clock: Clock
  /** The master secret. */
  secret: string
  serviceName: string
  /** Undefined where there are no passkeys. Its origins are known when the service listens. */
  relyingParty: () => RelyingParty | undefined
  audit: Pick<Audit, 'record'>
  notices: Pick<Notices, 'tell'>
  log: { warn(details: object, message: string): void }
}

/** Passkeys: made in one ceremony, proved in another. */
export const createPasskeys = (collaborators: Collaborators) => {
  const { db, clock, secret, serviceName, audit, notices, log } = collaborators
  const challenges = createChallenges(secret, clock)
  const ceremony = createCeremony({ challenges, log })
  const relyingParty = (): RelyingParty => {
    const party = collaborators.relyingParty()
    if (!party) throw problem('unsupported_auth_type')
    return party
  }
  const shared = { db, challenges, ceremony, relyingParty }
  const rpId = collaborators.relyingParty()?.rpId
  return {
    /** Undefined where there are no passkeys. */
    rpId,
    /** Where people can use passkeys; null where there is no such page. */
    address: (): string | null => collaborators.relyingParty()?.address ?? null,
    /** Whether a passkey can sign in by itself today. */
    isWayIn: (passkey: { rpId: string; userVerified: boolean }): boolean =>
      passkey.rpId === rpId && passkey.userVerified,
    ...createPasskeyRegistration({ ...shared, serviceName }),
    ...createPasskeyAssertion({ ...shared, audit, notices, clock, log }),
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>
