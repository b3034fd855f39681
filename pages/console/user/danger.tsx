import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { Item } from '../../shared/frame/item.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { carryOutcome } from '../../shared/shell/outcome.js'
import { useConsole } from '../console.js'
import { backTo } from '../list/address.js'
import { words } from '../words.js'
import { ConfirmDialog } from '../confirm-dialog.js'
import { ResetFactors } from './reset-factors.js'
import type { TabProps } from './user-page.js'

/** What cannot be undone. */
export const Danger = ({ user, reload, outcome }: TabProps) => {
  const { may } = useConsole()
  const { route } = useLocation()
  const [dialog, setDialog] = useState<'factors' | 'delete'>()
  const close = () => setDialog(undefined)
  const mayReset = may('system:user:reset') && user.hasSecondFactor
  const mayDelete = may('system:user:delete')
  if (!mayReset && !mayDelete) return null
  const remove = async () => {
    await request('DELETE /system/user/{id}', { path: { id: user.id } })
    close()
    carryOutcome(words.user.deleted(visible(user.realName || user.username)))
    route(backTo('users'))
  }
  return (
    <section class="stack tight" aria-labelledby="danger">
      <h2 id="danger">{words.user.danger}</h2>
      <ul class="items">
        {mayReset && (
          <Item name={words.user.resetFactors} facts={words.user.resetFactorsHint}>
            <button class="danger" aria-label={words.user.resetFactors} onClick={() => setDialog('factors')}>
              {words.user.reset}
            </button>
          </Item>
        )}
        {mayDelete && (
          <Item name={words.user.deleteUser} facts={words.user.cannotUndo}>
            <button class="danger" aria-label={words.user.deleteUser} onClick={() => setDialog('delete')}>
              {words.user.delete}
            </button>
          </Item>
        )}
      </ul>
      {dialog === 'factors' && (
        <ResetFactors
          user={user}
          onClose={close}
          onDone={async () => {
            await reload()
            close()
            outcome.tell(words.user.factorsReset)
          }}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={words.user.deleteTitle(visible(user.realName || user.username))}
          submit={words.user.deleteUser}
          onConfirm={remove}
          onClose={close}
        >
          <p>{words.user.deleteText(<Name text={user.username} />)}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
