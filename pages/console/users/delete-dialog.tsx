import { Name } from '../../shared/language/visible.js'
import { frame } from '../../shared/language/frame-words.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { RefusedNotice } from './refused-notice.js'
import type { Actions } from './use-actions.js'
import type { UserRow } from '../values.js'

/** Names that are listed; the others are counted. */
const shown = 10

interface DeleteDialogProps {
  users: readonly UserRow[]
  actions: Actions
  onClose: () => void
}

/** Asks before users are deleted, and names them. */
export const DeleteDialog = ({ users, actions, onClose }: DeleteDialogProps) => {
  const { me } = useConsole()
  return (
    <Dialog title={words.users.deleteTitle(users.length)} onClose={onClose}>
      {actions.refused && <RefusedNotice refused={actions.refused} />}
      <ul>
        {users.slice(0, shown).map(({ id, username, realName, tenantName }) => (
          <li class="what" key={id}>
            <Name text={realName || username} />{' '}
            <span class="muted">
              <Name text={username} />
              {me.admin && (
                <>
                  {' · '}
                  <Name text={tenantName} />
                </>
              )}
            </span>
          </li>
        ))}
        {users.length > shown && <li class="muted">{words.users.andMore(users.length - shown)}</li>}
      </ul>
      <p class="muted">{words.users.deleteHint}</p>
      <div class="actions">
        <button class="danger" aria-disabled={actions.isBusy} onClick={() => void actions.act('delete', users)}>
          {words.users.deleteButton(users.length)}
        </button>
        <button onClick={onClose}>{frame.cancel}</button>
      </div>
    </Dialog>
  )
}
