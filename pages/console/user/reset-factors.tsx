import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { ConfirmDialog } from '../confirm-dialog.js'
import type { User } from './draft.js'

interface ResetFactorsProps {
  user: User
  onClose: () => void
  onDone: () => Promise<void>
}

/** Asks before the factors of somebody who has lost them are removed. */
export const ResetFactors = ({ user, onClose, onDone }: ResetFactorsProps) => {
  const isTold = useConsole().config.contactChannels.includes('email') && user.email !== null
  return (
    <ConfirmDialog
      title={words.user.resetTitle(visible(user.realName || user.username))}
      submit={words.user.resetFactors}
      onConfirm={async () => {
        await request('DELETE /system/user/{id}/factors', { path: { id: user.id } })
        await onDone()
      }}
      onClose={onClose}
    >
      <p>{words.user.resetText}</p>
      <p>{isTold ? words.user.resetByMail : words.user.resetUntold}</p>
    </ConfirmDialog>
  )
}
