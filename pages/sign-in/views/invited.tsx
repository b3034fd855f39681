import { CodeField } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { addressOf } from '../address.js'
import { isRefusal, Refusal } from '../../shared/session/fault.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'
import { kindOf, recipientOfMail, RecipientField } from './code-request.js'
import { NewPassword } from './new-password.js'
import { useReset } from './reset.js'
import { BackLink, View } from './view.js'

/** An invitation is a code that sets the first password of an account. */
export const Invited = () => {
  const { config } = useSignIn()
  const reset = useReset()
  // The mail leads here with its recipient.
  const initial = recipientOfMail()
  return (
    <View title={words.invitedHeading} heading={words.invitedHeading} lead={words.invitedLead}>
      <Form
        submit={words.saveAndContinue}
        busy={words.saving}
        onSubmit={({ recipient = '', code = '', newPassword = '' }) =>
          reset({ recipient, code, newPassword }).catch((error: unknown) => {
            // In Chinese the service speaks of a verification code, which nobody has asked for here.
            if (isRefusal(error, 'invalid_code')) throw new Refusal('', { code: words.wrongInvitation })
            // A code that somebody asks for has tries of its own.
            throw isRefusal(error, 'too_many_attempts') ? new Refusal(words.tooManyCodes) : error
          })
        }
      >
        {/* Also the name under which a password manager keeps the new password. */}
        <RecipientField kind={kindOf(config.resetChannels)} initial={initial} />
        <CodeField name="code" label={words.invitationCode} first={!!initial} />
        <NewPassword />
      </Form>
      <p class="small">
        <a href={addressOf('sign-in/forgot') + location.hash}>{words.newInvitationCode}</a>
      </p>
      <BackLink />
    </View>
  )
}
