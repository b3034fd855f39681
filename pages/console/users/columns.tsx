import { TitleCell } from '../list/title-cell.js'
import { Face } from '../../shared/frame/face.js'
import { dateAndTime } from '../../shared/language/language.js'
import { Name, visible } from '../../shared/language/visible.js'
import { addressOf, type Console } from '../console.js'
import type { Column } from '../list/table.js'
import { words } from '../words.js'
import { lastSignIn, Status, type UserRow } from '../values.js'

const nothing = <span class="muted">–</span>

/** What the list shows of a user. Who does not see contacts cannot sort by them, either. */
export const userColumns = (may: Console['may']): Column<UserRow>[] => {
  const contactSort = (column: string) => (may('system:user:contact') ? { sort: column } : {})
  return [
    {
      heading: words.users.name,
      width: 'name',
      sort: 'realName',
      title: ({ realName, username }) => visible(realName || username),
      cell: (user) => (
        <TitleCell
          name={user.realName || user.username}
          href={may('system:user:view') ? addressOf(`users/${user.id}`) : undefined}
          picture={<Face user={user} />}
        >
          <Name text={user.username} />
        </TitleCell>
      ),
    },
    {
      heading: words.users.username,
      hides: 700,
      sort: 'username',
      title: ({ username }) => visible(username),
      cell: ({ username }) => <Name text={username} />,
    },
    {
      heading: words.users.phone,
      hides: 700,
      look: 'num',
      ...contactSort('phone'),
      cell: ({ phone }) => phone ?? nothing,
    },
    {
      heading: words.users.email,
      width: 'mail',
      hides: 1200,
      ...contactSort('email'),
      title: ({ email }) => email ?? undefined,
      cell: ({ email }) => email ?? nothing,
    },
    {
      heading: words.users.roles,
      hides: 1024,
      title: ({ roleKeys }) => visible(roleKeys.join(', ')),
      cell: ({ roleKeys }) => (roleKeys.length === 0 ? nothing : <Name text={roleKeys.join(', ')} />),
    },
    {
      heading: words.users.factors,
      hides: 1024,
      sort: 'hasSecondFactor',
      cell: ({ hasSecondFactor }) =>
        hasSecondFactor ? words.users.withFactor : <span class="muted">{words.users.withoutFactor}</span>,
    },
    {
      // Where there is no room for the column of the last sign-in, its time is in this one.
      heading: words.users.status,
      width: 'tiny',
      sort: 'userStatus',
      below: { heading: words.users.lastSignIn, sort: 'lastLoginTime' },
      cell: (user) => (
        <>
          <Status of={user} isNarrow={true} />
          <span class="sub">{lastSignIn(user)}</span>
        </>
      ),
    },
    {
      heading: words.users.lastSignIn,
      hides: 700,
      look: 'num',
      sort: 'lastLoginTime',
      title: ({ lastLoginTime }) => (lastLoginTime === null ? undefined : dateAndTime(new Date(lastLoginTime))),
      cell: (user) => (user.lastLoginTime === null ? <span class="muted">{words.users.never}</span> : lastSignIn(user)),
    },
  ]
}
