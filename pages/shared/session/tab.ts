import type { Operations } from '../../../client/index.js'
import { base, hasPage } from '../base.js'

/** Why a browser keeps no page session at this address. */
export type Obstacle = Exclude<Operations['POST /auth/pageSession']['data']['state'], 'kept'>

/** A token on its way to the next page of ours in this tab, which takes it out as it begins. */
const handedKey = 'rollcall-handed-over'
/** That the sign-in of this tab does not outlast a reload, and why. */
const tabKey = 'rollcall-tab-only'
/** How the session of the page before has ended, for the sign-in page to say. */
const endKey = 'rollcall-end'

interface Handed {
  token: string
  obstacle: Obstacle
}

const isObstacle = (value: unknown): value is Obstacle => ['address', 'encryption', 'cookie'].includes(value as string)

const isHanded = (value: unknown): value is Handed => {
  const { token, obstacle } = (value ?? {}) as Partial<Handed>
  return typeof token === 'string' && isObstacle(obstacle)
}

/** Where storage is forbidden, there is nothing in it. */
export const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Why the sign-in that was in this tab has not outlasted a reload; undefined if there was none of this kind. */
export const lostInReload = (): Obstacle | undefined => {
  const kept = attempt(() => sessionStorage.getItem(tabKey))
  return isObstacle(kept) ? kept : undefined
}

/** Nobody is signed in in this tab alone any more. */
export const forgetTab = (): void => {
  attempt(() => sessionStorage.removeItem(tabKey))
}

/** Somebody has just signed out in this tab, or its session was found to be over. */
export type End = 'signedOut' | 'ended'

/** Tells the sign-in page how the session has ended: after a sign-out it is over, too. */
export const leaveEnd = (end: End): void => {
  attempt(() => {
    if (end === 'signedOut' || sessionStorage.getItem(endKey) === null) sessionStorage.setItem(endKey, end)
  })
}

/** Reads something out of the storage of the tab, once. */
export const take = (key: string): string | null | undefined =>
  attempt(() => {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return text
  })

/** How the session has just ended in this tab, once. */
export const takeEnd = (): End | undefined => {
  const end = take(endKey)
  return end === 'signedOut' || end === 'ended' ? end : undefined
}

/** Whether the address is that of a page of ours that takes the token out again. A page of others would leave it in the storage. */
export const takesToken = (address: string): boolean => {
  const { origin, pathname } = new URL(address, location.href)
  const [first = ''] = pathname.slice(base.pathname.length).split('/')
  const isOurs = first === 'docs' || ((first === 'account' || first === 'console') && hasPage(first))
  return origin === base.origin && pathname.startsWith(base.pathname) && isOurs
}

/** Leaves the token for the next page in this tab. Returns whether the browser lets us. */
export const leaveInTab = (handed: Handed): boolean =>
  attempt(() => {
    sessionStorage.setItem(tabKey, handed.obstacle)
    sessionStorage.setItem(handedKey, JSON.stringify(handed))
    return true
  }) ?? false

/** What the page before has left, once. */
export const takeFromTab = (): Handed | undefined => {
  const text = take(handedKey)
  const handed: unknown = attempt<unknown>(() => JSON.parse(text ?? 'null'))
  return isHanded(handed) ? handed : undefined
}

/** Gives the token to the page that has opened this window, and to no other one. */
export const giveToOpener = (handed: Handed): void => {
  ;(window.opener as Window | null)?.postMessage(handed, location.origin)
}

/** Calls back with what a window that this page has opened gives it. */
export const onGiven = (listener: (handed: Handed) => void): (() => void) => {
  const listen = ({ origin, data }: MessageEvent<unknown>) => {
    if (origin === location.origin && isHanded(data)) listener(data)
  }
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
