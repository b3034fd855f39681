import { useState } from 'preact/hooks'
import { RollcallError } from '../../../client/index.js'
import { say } from '../../shared/frame/status-line.js'
import { sentences } from '../../shared/language/language.js'
import { request } from '../../shared/session/entered.js'
import { toFault } from '../../shared/session/fault.js'
import { takeCarried } from '../../shared/shell/outcome.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { changes, doneText, type Action, type GivenRole, type Invited } from './done-text.js'
import type { UserRow } from '../values.js'

/** The way back: `locked` are locked again, because that is what they were. */
interface WayBack {
  action: Action
  rows: UserRow[]
  locked: UserRow[]
}

/** What was done, and how to undo it. */
export interface Outcome {
  text: string
  /** Whether nothing had to be done. */
  isIdle: boolean
  undo: WayBack | undefined
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

/** Resolves to who is sent an invitation. */
const send = async (action: Action, rows: readonly UserRow[], roleKey?: string): Promise<Invited | undefined> => {
  const [first, ...others] = rows
  if (first === undefined) return undefined
  // Also for one: it says whether an invitation is sent.
  if (others.length > 0 || action === 'invite' || action === 'addRole') {
    const body = { ids: rows.map(({ id }) => id), action, ...(roleKey !== undefined && { roleKey }) }
    return request('POST /system/user/batch', { body })
  }
  const path = { id: first.id }
  if (action === 'delete') await request('DELETE /system/user/{id}', { path })
  else await request(`POST /system/user/{id}/${action}`, { path })
  return undefined
}

const toRefused = (error: unknown, rows: readonly UserRow[]): Refused => {
  const violations = error instanceof RollcallError ? error.violations : []
  const users = violations.flatMap(({ field, message }) => {
    const row = rows[Number(/^ids\.(\d+)$/.exec(field)?.[1])]
    return row ? [{ name: row.username, message }] : []
  })
  return { message: users.length > 0 ? words.users.nothingChanged : toFault(error).message, users }
}

/** Only of those whom the action has changed, each to the status from before. */
const undoOf = (action: Action, rows: readonly UserRow[], locked: readonly UserRow[]): Outcome['undo'] => {
  if (action !== 'disable' && action !== 'enable') return undefined
  const changed = rows.filter((row) => changes(action, row))
  if (changed.length + locked.length === 0) return undefined
  const withStatus = (some: readonly UserRow[], userStatus: UserRow['userStatus']) =>
    some.map((row) => ({ ...row, userStatus }))
  if (action === 'enable')
    return { action: 'disable', rows: [...withStatus(changed, 1), ...withStatus(locked, 2)], locked: [] }
  const wereLocked = changed.filter(({ userStatus }) => userStatus === 2)
  const others = changed.filter((row) => !wereLocked.includes(row))
  return { action: 'enable', rows: withStatus(others, 0), locked: withStatus(wereLocked, 0) }
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
    async act(
      action: Action,
      rows: readonly UserRow[],
      locked: readonly UserRow[] = [],
      role?: GivenRole,
    ): Promise<void> {
      if (isBusy) return
      forget()
      setBusy(true)
      try {
        const sent = await send(action, rows, role?.key)
        const invited = sent?.invited ?? 0
        // `enable` knows no other status than "normal".
        for (const { id } of locked) await request('PATCH /system/user/{id}', { path: { id }, body: { userStatus: 2 } })
        const done = doneText({ action, rows, locked, sent, role })
        const saysNoLink = lacksLink && invited > 0 && rows.some(({ email }) => email !== null)
        const text = sentences(done, saysNoLink && words.common.noLink)
        const undo = undoOf(action, rows, locked)
        const mayBeIdle = action === 'disable' || action === 'enable'
        setOutcome({ text, isIdle: mayBeIdle ? !undo : action === 'invite' && invited === 0, undo })
        say(text)
        onDone()
      } catch (error) {
        setRefused(toRefused(error, rows))
        // Some may have been changed before it.
        if (locked.length > 0) onDone()
      } finally {
        setBusy(false)
      }
    },
  }
}

export type Actions = ReturnType<typeof useActions>
