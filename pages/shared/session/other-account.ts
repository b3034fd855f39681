import { attempt, take } from './tab.js'

/** Whose account the page before had, when another one has taken its place. */
const accountKey = 'rollcall-account'

let isOther = false
/** Whether another account has taken the place of the one that this tab had before. */
export const isOtherAccount = (): boolean => isOther
/** That has been said. */
export const forgetOtherAccount = (): void => void (isOther = false)

/** Somebody else has signed in: the page that follows says that what was typed here is gone. */
export const leaveAccount = (userId: number): void => {
  attempt(() => sessionStorage.setItem(accountKey, String(userId)))
}

/** Finds out whether the page before has left for an account that is not this one. */
export const compareAccount = (userId: number): void => {
  const before = take(accountKey)
  isOther = before != null && before !== String(userId)
}
