import type { Operations } from '../../../client/index.js'
import { number, sentences } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { words } from '../words.js'
import type { UserRow } from '../values.js'

export type Action = 'disable' | 'enable' | 'unlock' | 'invite' | 'delete' | 'addRole' | 'takeRole'
/** What a role is called, and how it is named in a request. */
export type GivenRole = Pick<
  Operations['GET /system/role/page']['data']['records'][number],
  'key' | 'name' | 'secondFactorRequired'
>

const whose = (rows: readonly UserRow[]): string =>
  rows.length === 1 ? visible(rows[0]?.username ?? '') : words.users.count(rows.length, number(rows.length))

type Sentence = (who: string, isOne: boolean) => string
/** Nothing where there is nobody to say it of. */
const said = (sentence: Sentence, rows: readonly UserRow[]): string | false =>
  rows.length > 0 && sentence(whose(rows), rows.length === 1)

/** Names that are listed; the others are counted. */
export const shown = 10

/** Names who is left out, and why; nothing where that is nobody. */
export const leftOutText = (why: keyof typeof words.users.leftOut, rows: readonly UserRow[]): string | false => {
  const names = rows.slice(0, shown).map(({ username }) => visible(username))
  return names.length > 0 && sentences(words.users.leftOut[why], words.import.whoNot(names, rows.length - names.length))
}

/** Who is sent an invitation: the service leaves out some of several. */
export type Invited = Operations['POST /system/user/batch']['data']

const invitedText = ({ invited, withPassword, recentlyInvited }: Invited, rows: readonly UserRow[]): string => {
  const { all, some, none } = words.users.invited
  const isOne = rows.length === 1
  if (invited === rows.length) return all(whose(rows), isOne)
  if (isOne) return none(whose(rows))
  return sentences(
    some(invited, rows.length),
    leftOutText(
      'has_password',
      rows.filter(({ id }) => withPassword.includes(id)),
    ),
    leftOutText(
      'recently_invited',
      rows.filter(({ id }) => recentlyInvited.includes(id)),
    ),
  )
}

const isBannedOnly = ({ userStatus, bannedUntil }: UserRow): boolean => userStatus !== 2 && bannedUntil !== null

/** Whether an action changes a user, as far as the row tells: it knows of no wait after wrong tries. */
export const changes = (action: Action, row: UserRow): boolean => {
  if (action === 'disable') return row.userStatus !== 0
  if (action === 'enable') return row.userStatus === 0
  return action !== 'unlock' || row.userStatus === 2 || isBannedOnly(row)
}

const roleText = ({ key, name }: GivenRole, rows: readonly UserRow[]): string => {
  const had = rows.filter(({ roleKeys }) => roleKeys.includes(key))
  const others = rows.filter((row) => !had.includes(row))
  return sentences(
    said((who, isOne) => words.users.gaveRole(who, isOne, visible(name)), others),
    said(words.users.hadRole, had),
  )
}

export interface Done {
  action: Action
  rows: readonly UserRow[]
  /** Who was locked again, by the way back. */
  locked: readonly UserRow[]
  sent: Invited | undefined
  /** What `addRole` gives. */
  role: GivenRole | undefined
}

/** Says whom an action has changed, and who was so before. */
export const doneText = ({ action, rows, locked, sent, role }: Done): string => {
  if (action === 'addRole') return role ? roleText(role, rows) : ''
  if (action === 'takeRole')
    return sentences(said((who, isOne) => words.users.tookRole(who, isOne, visible(role?.name ?? '')), rows))
  if (action === 'invite') return sent ? invitedText(sent, rows) : ''
  const changed = rows.filter((row) => changes(action, row))
  const others = rows.filter((row) => !changed.includes(row))
  const isBan = action === 'unlock' && changed.every(isBannedOnly)
  return sentences(
    said(words.users.done[isBan ? 'liftBan' : action], changed),
    action !== 'delete' && said(words.users.already[action], others),
    said(words.users.lockedAgain, locked),
  )
}
