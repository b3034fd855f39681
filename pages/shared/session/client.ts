import { readStored, store } from '../stored.js'
import { createClient } from '../../../client/index.js'
import { base } from '../base.js'
import { languageTag } from '../language/language.js'

type SignedIn = Awaited<ReturnType<typeof client.signIn>>

// In memory only: whoever reads the storage of the browser finds no token.
let token: string | null = null
const storage = { get: () => token, set: (next: string | null) => void (token = next) }

/** That there may be a session: strangers ask for none, which would be refused. Without storage, a reload asks for the sign-in again. */
const storageKey = 'rollcall-signed-in'
const channel = new BroadcastChannel('rollcall-session')

export const client = createClient({ baseUrl: base.href, storage, session: 'cookie', language: languageTag })

/** A sign-in has started a session, by the client or by another request. */
export const begin = (signedIn: SignedIn): void => {
  storage.set(signedIn.accessToken)
  store(storageKey, '1')
}

/** The sign-in of before a reload, or of another tab; undefined if there is none. */
export const resume = async (): Promise<SignedIn | undefined> => {
  if (readStored(storageKey) === null) return undefined
  const signedIn = await client.resume()
  if (!signedIn) store(storageKey, null)
  return signedIn
}

/** Ends the session, here and in the other tabs. */
export const signOut = async (): Promise<void> => {
  store(storageKey, null)
  channel.postMessage('signed out')
  await client.signOut()
}

/** The name of the window in which a page whose session has ended opens the sign-in page. It closes itself at the end. */
export const signInWindow = 'rollcall-sign-in'

/** Tells the other tabs that somebody has signed in: one of them may be waiting for it. */
export const tellSignedIn = (): void => channel.postMessage('signed in')

const onMessage = (awaited: string, listener: () => void): (() => void) => {
  const listen = ({ data }: MessageEvent<unknown>) => {
    if (data === awaited) listener()
  }
  channel.addEventListener('message', listen)
  return () => channel.removeEventListener('message', listen)
}

/** Calls back when somebody has signed in in another tab. */
export const onSignedIn = (listener: () => void) => onMessage('signed in', listener)

/** Calls back when another tab has signed out. */
export const onSignedOutElsewhere = (listener: () => void) =>
  onMessage('signed out', () => {
    storage.set(null)
    listener()
  })
