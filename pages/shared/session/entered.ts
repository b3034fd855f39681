import { RollcallError, type Operations } from '../../../client/index.js'
import { hasPage } from '../base.js'
import { ask } from '../ask/questions.js'
import { begin, client, handOver, obstacleHere, resume, stayInTab } from './client.js'
import { compareAccount, leaveAccount } from './other-account.js'
import { keepTenant, signInAddress } from './sign-in-address.js'
import { lostInReload, takeFromTab } from './tab.js'

export type Me = Operations['GET /auth/userInfo']['data']
type Name = keyof Operations
type Input<N extends Name> = Omit<Operations[N], 'data'> & { signal?: AbortSignal }
type Data<N extends Name> = Operations[N]['data']

let me: Me | undefined

/** Who is signed in, for what a page has to say about its person. */
export const whoIsSignedIn = (): Me => {
  if (!me) throw new Error('enter() comes first')
  return me
}

/** Who has signed in on the page before, where no cookie keeps the session; undefined if that is over. */
const enterInTab = async (): Promise<Me | undefined> => {
  const handed = takeFromTab()
  if (!handed) return undefined
  stayInTab(handed.obstacle, handed.token)
  try {
    return await client.call('GET /auth/userInfo')
  } catch (error) {
    if (error instanceof RollcallError && error.status === 401) return undefined
    throw error
  }
}

const enterByCookie = async (): Promise<Me | undefined> => {
  // Nothing keeps the session of this tab, so there is none to ask for: the sign-in page says why.
  if (lostInReload() !== undefined) return undefined
  const signedIn = await resume()
  if (signedIn) begin(signedIn)
  return signedIn?.userInfo
}

/** Finds out who is signed in, by what the page before has left or the cookie of the page session; undefined means nobody. */
export const identify = async (): Promise<Me | undefined> => {
  me = (await enterInTab()) ?? (await enterByCookie())
  if (me) keepTenant(me.tenantId)
  return me
}

/** Finds out who is signed in. Nobody, or somebody who has to choose a password first: goes to the sign-in page and never returns. */
export const enter = async (): Promise<Me> => {
  const known = await identify()
  // The service refuses what the page would ask for. The sign-in page asks for the new password, of a session that a cookie keeps.
  const mustChange = known?.forcePasswordChange === true && hasPage('sign-in') && obstacleHere() === undefined
  if (known && !mustChange) {
    compareAccount(known.userId)
    return known
  }
  const next = location.pathname + location.search + location.hash
  // A mail names the tenant, so that the page offers its ways to sign in.
  const named = new URLSearchParams(location.search).get('tenant') ?? undefined
  location.replace(signInAddress(known?.tenantId ?? named, { next }))
  return new Promise(() => undefined)
}

/** Asks for the sign-in in a dialog. Another account than before throws away what was typed. */
const enterAgain = async (): Promise<void> => {
  await ask({ kind: 'session', tenantId: whoIsSignedIn().tenantId })
  const now = obstacleHere() ? await client.call('GET /auth/userInfo') : (await client.resume())?.userInfo
  if (now?.userId !== me?.userId) {
    handOver()
    // What was typed belongs to the account before. The page says so when it has been loaded again.
    if (me) leaveAccount(me.userId)
    location.reload()
    await new Promise(() => undefined)
  }
}

/** One question for all requests that wait for it. */
let entering: Promise<void> | undefined

/**
 * Sends something for a signed-in person. Where the session has ended, or the server wants the person proved again, it asks in a dialog
 * and repeats once. Throws a `Refusal` when the person does not answer.
 */
export const asPerson = async <T>(send: () => Promise<T>): Promise<T> => {
  const { username } = whoIsSignedIn()
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof RollcallError)) throw error
    if (error.status === 401 && error.reason !== 'invalid_credentials') {
      await (entering ??= enterAgain().finally(() => (entering = undefined)))
      return send()
    }
    if (error.reason === 'step_up_required') {
      const methods = Array.isArray(error.data['methods']) ? error.data['methods'].map(String) : []
      // Somebody without a factor has to set one up first, as the message says.
      if (methods.length === 0) throw error
      await ask({ kind: 'factor', methods, username })
      return send()
    }
    if (error.reason !== 'fresh_sign_in_required') throw error
    await ask({ kind: 'password', username })
    return send()
  }
}

/** Sends a request of a signed-in person, and asks as `asPerson` does. */
export const request = async <N extends Name>(name: N, input?: Input<N>): Promise<Data<N>> => {
  // The types of the client say which inputs may be left out; here each has one.
  const call = client.call as (operation: Name, given: object) => Promise<unknown>
  return asPerson(() => call(name, { ...input }) as Promise<Data<N>>)
}
