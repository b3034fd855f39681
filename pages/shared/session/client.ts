import { createClient } from '../../../client/index.js'
import { base } from '../base.js'
import { languageTag } from '../language/language.js'
import { forgetTab, leaveEnd, leaveInTab, onGiven, takesToken, type Obstacle } from './tab.js'

type SignedIn = Awaited<ReturnType<typeof client.signIn>>

// In memory only: whoever reads the storage of the browser finds no token.
let token: string | null = null
const storage = { get: () => token, set: (next: string | null) => void (token = next) }

/** Whether the browser had the cookie of a session when it asked for this document: strangers ask for none, which would be refused. */
const mayHaveSession = 'session' in document.documentElement.dataset
const channel = new BroadcastChannel('rollcall-session')

const options = { baseUrl: base.href, storage, language: languageTag }
const byCookie = createClient({ ...options, session: 'cookie' })
/** Where no cookie keeps the session: the token itself is exchanged for the next one. */
const byToken = createClient(options)

/** Why the sign-in is in this tab alone; undefined where a cookie keeps it. */
let obstacle: Obstacle | undefined
export const obstacleHere = (): Obstacle | undefined => obstacle

export const client: typeof byCookie = {
  ...byCookie,
  get call() {
    return (obstacle ? byToken : byCookie).call
  },
  get stepUp() {
    return (obstacle ? byToken : byCookie).stepUp
  },
}

/** Whose token this page has. */
let holder: number | undefined

/** A sign-in has started a session, by the client or by another request. The other tabs are told whose cookie the browser has. */
export const begin = ({ accessToken, userInfo: { userId } }: SignedIn): void => {
  storage.set(accessToken)
  holder = userId
  channel.postMessage(userId)
}

/** Before another page of ours is loaded in this tab, or this one again by itself. Returns false where that would end the sign-in. */
export const handOver = (): boolean => obstacle === undefined || (token !== null && leaveInTab({ token, obstacle }))

/** A link to another document of ours, which the router leaves to the browser. */
const followed = (event: MouseEvent): void => {
  const { defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey, target } = event
  if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[target=_self]') : null
  if (link && !link.hash && takesToken(link.href)) handOver()
}

/** Goes on with a token that no cookie keeps. */
export const stayInTab = (because: Obstacle, handed = token): void => {
  obstacle = because
  storage.set(handed)
  addEventListener('click', followed)
}

/** Why the browser keeps no cookie of the session that has just begun; undefined if it does. */
export const findObstacle = async (): Promise<Obstacle | undefined> => {
  const { state } = await client.call('POST /auth/pageSession', { body: {} })
  if (state !== 'kept') return state
  forgetTab()
  return undefined
}

/** The sign-in of before a reload, or of another tab; undefined if there is none. */
export const resume = async (): Promise<SignedIn | undefined> => {
  if (!mayHaveSession) return undefined
  const signedIn = await client.resume()
  if (!signedIn) leaveEnd('ended')
  return signedIn
}

/** Ends the session, here and in the other tabs. */
export const signOut = async (): Promise<void> => {
  forgetTab()
  if (!obstacle) channel.postMessage('signed out')
  await client.signOut()
}

/** The name of the window in which a page whose session has ended opens the sign-in page. It closes itself at the end. */
export const signInWindow = 'rollcall-sign-in'

/** Tells the other tabs that somebody has signed in: one of them may be waiting for it. */
export const tellSignedIn = (): void => channel.postMessage('signed in')

const onMessage = (listener: (data: unknown) => void): (() => void) => {
  const listen = ({ data }: MessageEvent<unknown>) => listener(data)
  channel.addEventListener('message', listen)
  return () => channel.removeEventListener('message', listen)
}

/** Calls back when somebody has signed in in another tab, or in a window that this page has opened for it. */
export const onSignedIn = (listener: () => void) => {
  const stop = onMessage((data) => {
    if (data !== 'signed in') return
    obstacle = undefined
    listener()
  })
  const stopGiven = onGiven((given) => {
    stayInTab(given.obstacle, given.token)
    listener()
  })
  return () => {
    stop()
    stopGiven()
  }
}

/** Calls back when another tab has signed out, or has signed in somebody else, whose session takes the place of the one here. */
export const onSignedOutElsewhere = (listener: (isReplaced: boolean) => void) =>
  onMessage((data) => {
    // The session of this tab is another one.
    if (obstacle) return
    if (data === 'signed out') {
      storage.set(null)
      listener(false)
    } else if (typeof data === 'number' && token !== null && holder !== undefined && data !== holder) {
      // The token stays: a page without one would get that of the other account, and send it what was typed for this one.
      holder = undefined
      listener(true)
    }
  })
