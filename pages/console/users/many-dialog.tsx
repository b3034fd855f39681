import { Name } from '../../shared/language/visible.js'
import { frame } from '../../shared/language/frame-words.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { leftOutText, shown } from './done-text.js'
import { RefusedNotice } from './refused-notice.js'
import type { Actions } from './use-actions.js'
import type { UserRow } from '../values.js'

/** What cannot be taken back. */
export type Asked = 'delete' | 'invite'

const reasons = ['has_signed_in', 'not_enabled', 'not_reached'] as const

interface ManyDialogProps {
  action: Asked
  picked: readonly UserRow[]
  actions: Actions
  onClose: () => void
}

/** Asks before something is done with users that cannot be taken back, and names them. An invitation leaves out who cannot be sent one. */
export const ManyDialog = ({ action, picked, actions, onClose }: ManyDialogProps) => {
  const { me, whyNotInvite } = useConsole()
  const users = action === 'invite' ? picked.filter((user) => !whyNotInvite(user)) : picked
  const { title, hint, button } = words.users.asked[action]
  return (
    <Dialog title={title(users.length)} onClose={onClose}>
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
      <p class="muted">{hint(users.length)}</p>
      {reasons.map((why) => {
        const text = leftOutText(
          why,
          picked.filter((user) => !users.includes(user) && whyNotInvite(user) === why),
        )
        return (
          text && (
            <p class="muted" key={why}>
              {text}
            </p>
          )
        )
      })}
      <div class="actions">
        <button
          class={action === 'delete' ? 'danger' : 'primary'}
          aria-disabled={actions.isBusy}
          onClick={() => void actions.act(action, users)}
        >
          {button(users.length)}
        </button>
        <button onClick={onClose}>{frame.cancel}</button>
      </div>
    </Dialog>
  )
}
