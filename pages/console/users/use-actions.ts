import { useState } from 'preact/hooks'
import { RollcallError } from '../../../client/index.js'
import { say } from '../../shared/frame/status-line.js'
import { sentences } from '../../shared/language/language.js'
import { request } from '../../shared/session/entered.js'
import { toFault } from '../../shared/session/fault.js'
import { takeCarried } from '../../shared/shell/outcome.js'
import { useConsole } from '../console.js'
import { lacksFactor } from '../own-factor.js'
import { words } from '../words.js'
import { changes, doneText, type Action, type GivenRole, type Invited } from './done-text.js'
import type { UserRow } from '../values.js'

/** What an action needs beside the users. */
interface More {
  /** Those who are locked again, because that is what they were. */
  locked?: readonly UserRow[]
  /** What `addRole` gives and `takeRole` takes. */
  role?: GivenRole
}

/** The way back. */
interface WayBack extends More {
  action: Action
  rows: readonly UserRow[]
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
const send = async (action: Action, rows: readonly UserRow[], role?: GivenRole): Promise<Invited | undefined> => {
  if (action === 'takeRole') {
    // They have the roles again that the list showed before.
    for (const { id, roleKeys } of rows)
      await request('PUT /system/user/{id}/roles', { path: { id }, body: { roleKeys } })
    return undefined
  }
  const [first, ...others] = rows
  if (first === undefined) return undefined
  // Also for one: it says whether an invitation is sent.
  if (others.length > 0 || action === 'invite' || action === 'addRole') {
    const body = { ids: rows.map(({ id }) => id), action, ...(role && { roleKey: role.key }) }
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
const undoOf = (action: Action, rows: readonly UserRow[], { locked = [], role }: More): Outcome['undo'] => {
  if (action === 'addRole' && role) {
    const given = rows.filter(({ roleKeys }) => !roleKeys.includes(role.key))
    return given.length > 0 ? { action: 'takeRole', rows: given, role } : undefined
  }
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
    /** Says why nothing is done. */
    refuse: (message: string) => setRefused({ message, users: [] }),
    fail: (error: unknown) => setRefused(toRefused(error, [])),
    async act(action: Action, rows: readonly UserRow[], more: More = {}): Promise<void> {
      if (isBusy) return
      const { locked = [], role } = more
      forget()
      setBusy(true)
      try {
        const sent = await send(action, rows, role)
        const invited = sent?.invited ?? 0
        // `enable` knows no other status than "normal".
        for (const { id } of locked) await request('PATCH /system/user/{id}', { path: { id }, body: { userStatus: 2 } })
        const done = doneText({ action, rows, locked, sent, role })
        const text = sentences(done, lacksLink && invited > 0 && words.common.noLink)
        const isKept = action === 'addRole' && role?.secondFactorRequired === true && (await lacksFactor())
        const undo = undoOf(action, rows, more)
        const mayBeIdle = action === 'disable' || action === 'enable' || action === 'addRole'
        setOutcome({
          text,
          isIdle: mayBeIdle ? !undo : action === 'invite' && invited === 0,
          undo: isKept ? undefined : undo,
        })
        say(text)
        onDone()
      } catch (error) {
        setRefused(toRefused(error, rows))
        // Some may have been changed before it.
        if (locked.length > 0 || action === 'takeRole') onDone()
      } finally {
        setBusy(false)
      }
    },
  }
}

export type Actions = ReturnType<typeof useActions>
