import {
  browserSupportsWebAuthnAutofill,
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { Operations } from '../../../client/index.js'
import { frame } from '../language/frame-words.js'
import { Refusal } from '../session/fault.js'

export type RequestOptions = Operations['POST /auth/passkey/options']['data']
export type CreationOptions = Operations['POST /auth/factors/passkey/options']['data']
export type Party = Operations['GET /auth/loginConfig']['data']['passkeys']

// The types of the library are narrower than JSON: the server sends what it names.
type Proof = Parameters<typeof startAuthentication>[0]['optionsJSON']
type Creation = Parameters<typeof startRegistration>[0]['optionsJSON']

/** What a browser or a device has refused, in words with a way on. `cancelled` is also said where another request has taken its place. */
const inWords = (error: unknown, party: Party, cancelled: string): Refusal => {
  const texts = frame.passkeyFaults
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return new Refusal(cancelled)
  if (name === 'SecurityError')
    return new Refusal(texts.SecurityError(party?.address ?? `https://${party?.rpId ?? ''}`))
  return new Refusal(name === 'InvalidStateError' || name === 'ConstraintError' ? texts[name] : texts.other)
}

/** Ends a request that waits for a choice in the list of suggestions: browsers have one at a time. */
export const stop = (): void => WebAuthnAbortService.cancelCeremony()

export const prove = async (options: RequestOptions, party: Party) => {
  try {
    return await startAuthentication({ optionsJSON: options as Proof })
  } catch (error) {
    throw inWords(error, party, frame.passkeyCancelled)
  }
}

export const create = async (options: CreationOptions, party: Party) => {
  try {
    return await startRegistration({ optionsJSON: options as Creation })
  } catch (error) {
    throw inWords(error, party, frame.passkeyNotMade)
  }
}

/** Tells the device to forget a passkey that the service does not know. */
export const forget = async (rpId: string, credentialId: string): Promise<void> => {
  // Few browsers know it yet.
  await sendSignal({ signalName: 'unknownCredential', rpID: rpId, credentialID: credentialId }).catch(() => undefined)
}

/** A challenge is renewed so long before it ends. Milliseconds. */
const margin = 60_000

/** Waits until the person picks a passkey among the suggestions of a field, until `ending` is aborted. */
export const wait = (
  ask: () => Promise<RequestOptions>,
  onPicked: (credential: Awaited<ReturnType<typeof prove>>) => void,
  ending: AbortSignal,
): void => {
  const isOver = (): boolean => ending.aborted
  let timer: ReturnType<typeof setTimeout> | undefined
  const once = async (): Promise<void> => {
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
  const begin = () => void once().catch(() => undefined)
  ending.addEventListener('abort', () => {
    clearTimeout(timer)
    stop()
  })
  if (!isOver()) begin()
}
