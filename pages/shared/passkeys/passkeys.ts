import type { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Operations } from '../../../client/index.js'
import { frame } from '../language/frame-words.js'
import { Refusal } from '../session/fault.js'

type RequestOptions = Operations['POST /auth/passkey/options']['data']
type CreationOptions = Operations['POST /auth/factors/passkey/options']['data']

/** Loaded when the first passkey is asked for. */
const library = () => import('@simplewebauthn/browser')

export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** What a passkey request has thrown; in words where the person has stopped it, or another request has taken its place. */
export const passkeyFault = (error: unknown, cancelled = frame.passkeyCancelled): unknown =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name) ? new Refusal(cancelled) : error

/** Ends a request that waits for a choice in the list of suggestions: browsers have one at a time. */
export const stopWaiting = async (): Promise<void> => (await library()).WebAuthnAbortService.cancelCeremony()

// The types of the library are narrower than JSON: the server sends what it names.
type Proof = Parameters<typeof startAuthentication>[0]['optionsJSON']
type Creation = Parameters<typeof startRegistration>[0]['optionsJSON']

export const provePasskey = async (options: RequestOptions) => {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON: options as Proof })
}

export const createPasskey = async (options: CreationOptions) => {
  const { startRegistration } = await library()
  return startRegistration({ optionsJSON: options as Creation })
}

/** Tells the device to forget a passkey that the service does not know. */
export const forgetPasskey = async (rpId: string, credentialId: string): Promise<void> => {
  const { sendSignal } = await library()
  // Few browsers know it yet.
  await sendSignal({ signalName: 'unknownCredential', rpID: rpId, credentialID: credentialId }).catch(() => undefined)
}

/** A challenge is renewed so long before it ends. Milliseconds. */
const margin = 60_000

/**
 * Waits until the person picks a passkey among the suggestions of a field. Returns a function that ends the waiting. `ask` gets new
 * options, because a person may look at the page for longer than a challenge is valid.
 */
export const waitForPasskey = (
  ask: () => Promise<RequestOptions>,
  onPicked: (credential: Awaited<ReturnType<typeof provePasskey>>) => void,
): (() => void) => {
  const ending = new AbortController()
  const isOver = (): boolean => ending.signal.aborted
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = async (): Promise<void> => {
    const { browserSupportsWebAuthnAutofill, startAuthentication } = await library()
    if (!(await browserSupportsWebAuthnAutofill())) return
    const options = await ask()
    if (isOver()) return
    // A new request aborts the one that waits.
    timer = setTimeout(begin, options.timeout - margin)
    const credential = await startAuthentication({ optionsJSON: options as Proof, useBrowserAutofill: true })
    clearTimeout(timer)
    if (!isOver()) onPicked(credential)
  }
  // Nobody has asked for it, so there is nothing to say when it does not work.
  const begin = () => void wait().catch(() => undefined)
  begin()
  return () => {
    ending.abort()
    clearTimeout(timer)
    void stopWaiting()
  }
}
