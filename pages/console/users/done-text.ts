import { number, sentences } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { words } from '../words.js'
import type { UserRow } from '../values.js'

export type Action = 'disable' | 'enable' | 'unlock' | 'invite' | 'delete'

const whose = (rows: readonly UserRow[]): string =>
  rows.length === 1 ? visible(rows[0]?.username ?? '') : words.users.count(rows.length, number(rows.length))

type Sentence = (who: string, isOne: boolean) => string
/** Nothing where there is nobody to say it of. */
const said = (sentence: Sentence, rows: readonly UserRow[]): string | false =>
  rows.length > 0 && sentence(whose(rows), rows.length === 1)

/** Says how many were sent an invitation; the service leaves out some of several. */
const invitedText = (invited: number, rows: readonly UserRow[]): string => {
  const { all, some, none } = words.users.invited
  const isOne = rows.length === 1
  if (invited === rows.length) return all(whose(rows), isOne)
  return invited === 0 ? none(whose(rows), isOne) : some(invited, rows.length)
}

const isBannedOnly = ({ userStatus, bannedUntil }: UserRow): boolean => userStatus !== 2 && bannedUntil !== null

/** Whether an action changes a user, as far as the row tells: it knows of no wait after wrong tries. */
export const changes = (action: Action, row: UserRow): boolean => {
  if (action === 'disable') return row.userStatus !== 0
  if (action === 'enable') return row.userStatus === 0
  return action !== 'unlock' || row.userStatus === 2 || isBannedOnly(row)
}

export interface Done {
  action: Action
  rows: readonly UserRow[]
  /** Who was locked again, by the way back. */
  locked: readonly UserRow[]
  invited: number
}

/** Says whom an action has changed, and who was so before. */
export const doneText = ({ action, rows, locked, invited }: Done): string => {
  if (action === 'invite') return invitedText(invited, rows)
  const changed = rows.filter((row) => changes(action, row))
  const others = rows.filter((row) => !changed.includes(row))
  const isBan = action === 'unlock' && changed.every(isBannedOnly)
  return sentences(
    said(words.users.done[isBan ? 'liftBan' : action], changed),
    action !== 'delete' && said(words.users.already[action], others),
    said(words.users.lockedAgain, locked),
  )
}
