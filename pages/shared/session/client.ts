import { createClient } from '../../../client/index.js'
import { base } from '../base.js'
import { languageTag } from '../language/language.js'

type SignedIn = Awaited<ReturnType<typeof client.signIn>>

// In memory only: whoever reads the storage of the browser finds no token.
let token: string | null = null
const storage = { get: () => token, set: (next: string | null) => void (token = next) }

/** That there may be a session: strangers ask for none, which would be refused. */
const storageKey = 'rollcall-signed-in'
const channel = new BroadcastChannel('rollcall-session')

// Where storage is forbidden, a reload asks for the sign-in again.
const mark = (isSignedIn: boolean): void => {
  try {
    if (isSignedIn) localStorage.setItem(storageKey, '1')
    else localStorage.removeItem(storageKey)
  } catch {
    // See above.
  }
}
const isMarked = (): boolean => {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

export const client = createClient({ baseUrl: base.href, storage, session: 'cookie', language: languageTag })

/** A sign-in has started a session, by the client or by another request. */
export const begin = (signedIn: SignedIn): void => {
  storage.set(signedIn.accessToken)
  mark(true)
}

/** The sign-in of before a reload, or of another tab; undefined if there is none. */
export const resume = async (): Promise<SignedIn | undefined> => {
  if (!isMarked()) return undefined
  const signedIn = await client.resume()
  if (!signedIn) mark(false)
  return signedIn
}

/** Ends the session, here and in the other tabs. */
export const signOut = async (): Promise<void> => {
  mark(false)
  channel.postMessage('signed out')
  await client.signOut()
}

/** The name of the window in which a page whose session has ended opens the sign-in page. It closes itself at the end. */
export const signInWindow = 'rollcall-sign-in'

/** Tells the other tabs that somebody has signed in: one of them may be waiting for it. */
export const tellSignedIn = (): void => channel.postMessage('signed in')

/** Calls back when somebody has signed in in another tab. */
export const onSignedIn = (listener: () => void): (() => void) => {
  const listen = ({ data }: MessageEvent<unknown>) => {
    if (data === 'signed in') listener()
  }
  channel.addEventListener('message', listen)
  return () => channel.removeEventListener('message', listen)
}

/** Calls back when another tab has signed out. */
export const onSignedOutElsewhere = (listener: () => void): (() => void) => {
  const listen = ({ data }: MessageEvent<unknown>) => {
    if (data !== 'signed out') return
    storage.set(null)
    listener()
  }
  channel.addEventListener('message', listen)
  return () => channel.removeEventListener('message', listen)
}
