import type { Needs } from '../../../../lib/needs.js'
import { problem } from '../../../../lib/problem.js'
import type { RelyingParty } from '../../../../lib/relying-party.js'
import { createPasskeyAssertion } from './assertion.js'
import { createCeremony } from './ceremony.js'
import { createChallenges } from './challenges.js'
import { createPasskeyRegistration } from './registration.js'

/**
 * Passkeys: made in one ceremony, proved in another. There is no relying party where there are no passkeys; its origins are known when
 * the service listens.
 */
export const createPasskeys = (
  needs: Needs<'audit' | 'clock' | 'db' | 'installation' | 'log' | 'notices'>,
  findRelyingParty: () => RelyingParty | undefined,
) => {
  const challenges = createChallenges(needs.installation.secret, needs.clock)
  const relyingParty = (): RelyingParty => {
    const party = findRelyingParty()
    if (!party) throw problem('unsupported_auth_type')
    return party
  }
  const shared = { challenges, ceremony: createCeremony(needs, challenges), relyingParty }
  const rpId = findRelyingParty()?.rpId
  return {
    /** Undefined where there are no passkeys. */
    rpId,
    /** Where people can use passkeys; null where there is no such page. */
    address: (): string | null => findRelyingParty()?.address ?? null,
    /** Whether a passkey can sign in by itself today. */
    isWayIn: (passkey: { rpId: string; userVerified: boolean }): boolean =>
      passkey.rpId === rpId && passkey.userVerified,
    ...createPasskeyRegistration(needs, shared),
    ...createPasskeyAssertion(needs, shared),
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>
