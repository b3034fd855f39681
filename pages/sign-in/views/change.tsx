import { sentences } from '../../shared/language/language.js'
import { HiddenUserName, PasswordField } from '../../shared/form/field.js'
import { namesOf } from '../../shared/form/new-password-field.js'
import { Form } from '../../shared/form/use-form.js'
import { BoldName } from '../../shared/language/visible.js'
import { client } from '../../shared/session/client.js'
import { useSignIn, type SignedIn } from '../flow.js'
import { words } from '../words.js'
import { NewPassword } from './new-password.js'
import { View } from './view.js'

/** A new password in place of one that is temporary. */
export const Change = () => {
  const flow = useSignIn()
  const { signedIn, password } = flow.step as { signedIn: SignedIn; password: string | undefined }
  const { username, realName } = signedIn.userInfo
  return (
    <View
      title={words.changeTitle}
      heading={words.changeHeading}
      lead={words.changeLead(<BoldName text={realName || username} />)}
    >
      <Form
        submit={words.saveAndContinue}
        busy={words.saving}
        at={{ invalid_credentials: 'oldPassword' }}
        onSubmit={async ({ newPassword = '', oldPassword }) => {
          await client.call('POST /auth/changePassword', {
            body: { oldPassword: password ?? oldPassword ?? '', newPassword },
          })
          await flow.finish(
            { ...signedIn, forcePasswordChange: false },
            { password: newPassword, hasNewPassword: true },
          )
        }}
        after={<p class="hint">{sentences(words.passwordAdvice, words.othersEnd)}</p>}
      >
        <HiddenUserName name={username} />
        {password === undefined && (
          <PasswordField name="oldPassword" label={words.currentPassword} autocomplete="current-password" first />
        )}
        <NewPassword names={namesOf(signedIn.userInfo, flow.config.tenantName)} first={password !== undefined} />
      </Form>
    </View>
  )
}
