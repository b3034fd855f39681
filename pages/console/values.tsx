import type { RowOf } from './list/use-list.js'
import { dateAndTime, shortTime } from '../shared/language/language.js'
import { words } from './words.js'

export type UserRow = RowOf<'GET /system/user/page'>

/** The type of service accounts, which sign in by API tokens only. */
export const service = 3

const kinds = { 0: 'off', 1: '', 2: 'locked' } as const

/** The year in which a ban ends that lasts until somebody lifts it. */
const noEnd = 9999

/** Until when somebody may not sign in. */
export const banText = (bannedUntil: string): string => {
  const end = new Date(bannedUntil)
  return end.getUTCFullYear() === noEnd ? words.common.bannedForever : words.common.bannedUntil(dateAndTime(end))
}

/** The status of a user: "invited" until somebody comes. A ban is in place of "normal", and beside what keeps the user out all the same. */
export const Status = ({
  of: { userStatus: status, bannedUntil, invitedTime },
  isNarrow = false,
}: {
  of: Pick<UserRow, 'userStatus' | 'bannedUntil' | 'invitedTime'>
  /** Whether there is room for one word in a line. */
  isNarrow?: boolean
}) => (
  <>
    {(status !== 1 || bannedUntil === null) && (
      <span class={`status ${kinds[status]}`}>
        {status === 1 && invitedTime !== null ? words.common.invited : words.common.statuses[status]}
      </span>
    )}
    {status !== 1 && bannedUntil !== null && (isNarrow ? <br /> : ' ')}
    {bannedUntil !== null && (
      <span class="status locked" title={banText(bannedUntil)}>
        {words.common.banned}
      </span>
    )}
  </>
)

export const inviteWord = ({ invitedTime }: Pick<UserRow, 'invitedTime'>): string =>
  invitedTime === null ? words.common.invite : words.common.inviteAgain

export const lastSignIn = ({ lastLoginTime }: Pick<UserRow, 'lastLoginTime'>): string =>
  lastLoginTime === null ? words.users.never : shortTime(new Date(lastLoginTime))

/** By what codes can be sent here. */
export const channelsOf = (channels: readonly string[]): keyof typeof words.import.whyNot => {
  const [hasMail, hasSms] = [channels.includes('email'), channels.includes('phone')]
  if (hasMail) return hasSms ? 'both' : 'email'
  return hasSms ? 'phone' : 'neither'
}
