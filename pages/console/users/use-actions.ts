import { useState } from 'preact/hooks'
import { RollcallError } from '../../../client/index.js'
import { say } from '../../shared/frame/status-line.js'
import { number, sentences } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { toFault } from '../../shared/session/fault.js'
import { takeCarried } from '../../shared/shell/outcome.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import type { UserRow } from '../values.js'

export type Action = 'disable' | 'enable' | 'unlock' | 'invite' | 'delete'

/** What was done, and how to undo it. */
export interface Outcome {
  text: string
  /** Whether nothing had to be done. */
  isIdle: boolean
  undo: { action: Action; rows: UserRow[] } | undefined
}

/** What the page of a user has done to it. */
const carried = (): Outcome | undefined => {
  const told = takeCarried()
  return told && { text: told.text, isIdle: false, undo: undefined }
}

/** Why nothing was done, and for which of several users. */
export interface Refused {
  message: string
  users: { name: string; message: string }[]
}

/** Resolves to the number of those who are sent an invitation. */
const send = async (action: Action, rows: readonly UserRow[]): Promise<number> => {
  const [first, ...others] = rows
  // Also for one: it says whether an invitation is sent.
  if (first === undefined || others.length > 0 || action === 'invite') {
    const { invited } = await request('POST /system/user/batch', { body: { ids: rows.map(({ id }) => id), action } })
    return invited
  }
  const path = { id: first.id }
  if (action === 'delete') await request('DELETE /system/user/{id}', { path })
  else await request(`POST /system/user/{id}/${action}`, { path })
  return 0
}

const toRefused = (error: unknown, rows: readonly UserRow[]): Refused => {
  const violations = error instanceof RollcallError ? error.violations : []
  const users = violations.flatMap(({ field, message }) => {
    const row = rows[Number(/^ids\.(\d+)$/.exec(field)?.[1])]
    return row ? [{ name: row.username, message }] : []
  })
  return { message: users.length > 0 ? words.users.nothingChanged : toFault(error).message, users }
}

const whose = (rows: readonly UserRow[]): string =>
  rows.length === 1 ? visible(rows[0]?.username ?? '') : words.users.count(rows.length, number(rows.length))

/** Says how many were sent an invitation; the service leaves out some of several. */
const invitedText = (invited: number, rows: readonly UserRow[]): string => {
  const { all, some, none } = words.users.invited
  const isOne = rows.length === 1
  if (invited === rows.length) return all(whose(rows), isOne)
  return invited === 0 ? none(whose(rows), isOne) : some(invited, rows.length)
}

const doneText = (action: Action, rows: readonly UserRow[], invited: number): string => {
  if (action === 'invite') return invitedText(invited, rows)
  const isBan = action === 'unlock' && rows.every(({ userStatus, bannedUntil }) => userStatus !== 2 && bannedUntil)
  return words.users.done[isBan ? 'liftBan' : action](whose(rows), rows.length === 1)
}

/** Only of those whom the action has changed: the others were so before. */
const undoOf = (action: Action, rows: readonly UserRow[]): Outcome['undo'] => {
  if (action !== 'disable' && action !== 'enable') return undefined
  const userStatus = action === 'disable' ? 0 : 1
  const changed = rows.filter((row) => (row.userStatus === 0) !== (userStatus === 0))
  if (changed.length === 0) return undefined
  return { action: userStatus === 0 ? 'enable' : 'disable', rows: changed.map((row) => ({ ...row, userStatus })) }
}

/** Changes users, one or many at once, and knows how it went. */
export const useActions = (onDone: () => void) => {
  const { lacksLink } = useConsole()
  const [outcome, setOutcome] = useState<Outcome | undefined>(carried)
  const [refused, setRefused] = useState<Refused>()
  const [isBusy, setBusy] = useState(false)
  const forget = () => {
    setOutcome(undefined)
    setRefused(undefined)
  }
  return {
    outcome,
    refused,
    isBusy,
    forget,
    /** Says why something did not work that changes nobody. */
    fail: (error: unknown) => setRefused(toRefused(error, [])),
    async act(action: Action, rows: readonly UserRow[]): Promise<void> {
      if (isBusy) return
      forget()
      setBusy(true)
      try {
        const invited = await send(action, rows)
        const done = doneText(action, rows, invited)
        const saysNoLink = lacksLink && invited > 0 && rows.some(({ email }) => email !== null)
        const text = sentences(done, saysNoLink && words.common.noLink)
        setOutcome({ text, isIdle: action === 'invite' && invited === 0, undo: undoOf(action, rows) })
        say(text)
        onDone()
      } catch (error) {
        setRefused(toRefused(error, rows))
      } finally {
        setBusy(false)
      }
    },
  }
}

export type Actions = ReturnType<typeof useActions>
