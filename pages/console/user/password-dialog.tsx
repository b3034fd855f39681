import { Cancel } from '../../shared/frame/cancel.js'
import { HiddenUserName } from '../../shared/form/field.js'
import { nameOf } from '../../shared/frame/branding.js'
import { namesOf, NewPasswordField } from '../../shared/form/new-password-field.js'
import { Form } from '../../shared/form/use-form.js'
import { request } from '../../shared/session/entered.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import type { User } from './draft.js'

interface PasswordDialogProps {
  user: User
  onClose: () => void
  onDone: () => Promise<void>
}

/** A password that the user changes at the next sign-in. */
export const PasswordDialog = ({ user, onClose, onDone }: PasswordDialogProps) => {
  const { config } = useConsole()
  return (
    <Dialog title={words.user.setPassword} onClose={onClose}>
      <p class="muted">{words.user.setPasswordHint}</p>
      <Form
        submit={words.user.setPassword}
        onSubmit={async ({ password = '', endTokens }) => {
          const body = { password, endTokens: endTokens !== undefined }
          await request('POST /system/user/{id}/password', { path: { id: user.id }, body })
          await onDone()
        }}
        after={<Cancel onClick={onClose} />}
      >
        <HiddenUserName name={user.username} />
        <NewPasswordField
          name="password"
          label={words.user.newPassword}
          minLength={config.passwordPolicy.minLength}
          service={nameOf(config)}
          names={namesOf(user, user.tenantName)}
          first
        />
        <label class="check">
          <input type="checkbox" name="endTokens" checked />
          <span>{words.user.endTokens}</span>
        </label>
      </Form>
    </Dialog>
  )
}
