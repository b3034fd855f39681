import { frame } from '../language/frame-words.js'
import type { CreationOptions, Party, prove, RequestOptions } from './ceremonies.js'

/** Loaded when the first passkey is asked for. */
const ceremonies = () => import('./ceremonies.js')

/** For which domain the service has passkeys; null where it has none. */
let party: Party = null
export const setParty = (known: Party): void => void (party = known)

/** Why there are passkeys, but not here, in words; undefined where they can be used. */
export const passkeyObstacle = (): string | undefined => {
  if (party === null) return undefined
  const { rpId, address } = party
  // The domain of a page ends with that of its passkeys (WebAuthn 5.1.3).
  const isAtHome = `.${location.hostname}`.endsWith(`.${rpId}`)
  if (!isAtHome && address !== null && (isSecureContext || address.startsWith('https:')))
    return frame.passkeyFaults.SecurityError(address)
  if (!isSecureContext) return frame.insecure
  return isAtHome && typeof PublicKeyCredential === 'function' ? undefined : frame.noPasskeys
}

export const canUsePasskeys = (): boolean => party !== null && passkeyObstacle() === undefined

export const stopWaiting = async (): Promise<void> => (await ceremonies()).stop()

/** Both throw a `Refusal` in words that name a way on. */
export const provePasskey = async (options: RequestOptions) => (await ceremonies()).prove(options, party)
export const createPasskey = async (options: CreationOptions) => (await ceremonies()).create(options, party)

/** Tells the device to forget a passkey that the service does not know. */
export const forgetPasskey = async (rpId: string, credentialId: string): Promise<void> =>
  (await ceremonies()).forget(rpId, credentialId)

/**
 * Waits until the person picks a passkey among the suggestions of a field. Returns a function that ends the waiting. `ask` gets new
 * options, because a person may look at the page for longer than a challenge is valid.
 */
export const waitForPasskey = (
  ask: () => Promise<RequestOptions>,
  onPicked: (credential: Awaited<ReturnType<typeof prove>>) => void,
): (() => void) => {
  const ending = new AbortController()
  ceremonies().then(
    ({ wait }) => wait(ask, onPicked, ending.signal),
    () => undefined,
  )
  return () => ending.abort()
}
