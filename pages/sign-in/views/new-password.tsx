import { frame } from '../../shared/language/frame-words.js'
import { nameOf } from '../../shared/frame/branding.js'
import { NewPasswordField } from '../../shared/form/new-password-field.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'

interface NewPasswordProps {
  /** Of the account, as far as the page knows them. */
  names?: readonly string[]
  first?: boolean
  name?: string
}

/** A new password under the policy of the tenant. */
export const NewPassword = ({ name = 'newPassword', ...props }: NewPasswordProps) => {
  const { config } = useSignIn()
  return (
    <NewPasswordField
      name={name}
      label={name === 'password' ? frame.password : words.newPassword}
      minLength={config.passwordPolicy.minLength}
      service={nameOf(config)}
      {...props}
    />
  )
}
