import { HiddenUserName } from '../../shared/form/field.js'
import { client } from '../../shared/session/client.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'
import { kindOf, toRecipientFault } from './code-request.js'
import { CodeView } from './code-view.js'
import { NewPassword } from './new-password.js'
import { useReset } from './reset.js'

export const Forgot = () => {
  const { config, tenant } = useSignIn()
  const reset = useReset()
  const kind = kindOf(config.resetChannels)
  return (
    <CodeView
      title={words.forgotTitle}
      heading={words.forgotHeading}
      lead={words.forgotLead(kind)}
      leadWhenSent={words.codeSent}
      view="forgot"
      kind={kind}
      send={(body) =>
        client
          .call('POST /auth/password/forgot', { body: { ...body, ...tenant } })
          .catch(toRecipientFault(kind, body.recipient))
      }
      submit={words.saveAndContinue}
      busy={words.saving}
      hint={words.noCode}
      onSubmit={({ recipient, codeKey }, { code = '', newPassword = '', endTokens }) =>
        reset({ recipient, code, codeKey, newPassword, endTokens: !!endTokens })
      }
      fields={({ recipient }) => (
        <>
          <HiddenUserName name={recipient} />
          <NewPassword names={[recipient.split('@')[0] ?? '']} />
          <label class="check">
            <input type="checkbox" name="endTokens" checked />
            <span>{words.endTokens}</span>
          </label>
        </>
      )}
    />
  )
}
