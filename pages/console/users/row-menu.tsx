import { visible } from '../../shared/language/visible.js'
import { Menu } from '../../shared/shell/menu.js'
import { addressOf, useConsole } from '../console.js'
import { words } from '../words.js'
import type { Action } from './done-text.js'
import { inviteWord, type UserRow } from '../values.js'

interface RowMenuProps {
  user: UserRow
  /** Not the person, and nobody above. */
  isManaged: boolean
  onAct: (action: Action) => void
}

/** What can be done with one user of the list; nothing where the person may do none of it. */
export const RowMenu = ({ user, isManaged, onAct }: RowMenuProps) => {
  const { id, username, userStatus, bannedUntil } = user
  const { may, whyNotInvite } = useConsole()
  const mayEdit = isManaged && may('system:user:edit')
  const mayDelete = isManaged && may('system:user:delete')
  const mayOpen = may('system:user:view')
  if (!mayEdit && !mayDelete && !mayOpen) return null
  return (
    <Menu label={words.users.actionsFor(visible(username))}>
      {mayOpen && (
        <a class="button" href={addressOf(`users/${id}`)}>
          {words.users.open}
        </a>
      )}
      {mayEdit && userStatus !== 0 && <button onClick={() => onAct('disable')}>{words.users.disable}</button>}
      {mayEdit && userStatus === 0 && <button onClick={() => onAct('enable')}>{words.users.enable}</button>}
      {/* For everybody: it also ends a wait after wrong tries, of which the row knows nothing. */}
      {mayEdit && (userStatus !== 0 || bannedUntil !== null) && (
        <button title={words.users.hints.unlock} onClick={() => onAct('unlock')}>
          {userStatus !== 2 && bannedUntil !== null ? words.users.liftBan : words.users.unlock}
        </button>
      )}
      {mayEdit && !whyNotInvite(user) && <button onClick={() => onAct('invite')}>{inviteWord(user)}</button>}
      {mayDelete && (mayEdit || mayOpen) && <hr />}
      {mayDelete && (
        <button class="danger" onClick={() => onAct('delete')}>
          {words.users.delete}
        </button>
      )}
    </Menu>
  )
}
