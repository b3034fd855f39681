import { CodeField, HiddenUserName } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { Name } from '../../shared/language/visible.js'
import { client } from '../../shared/session/client.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'
import { AgainLine, useSentCode } from '../../shared/codes/sent-code.js'
import { AskForCode, kindOf } from './code-request.js'
import { NewPassword } from './new-password.js'
import { useReset } from './reset.js'
import { BackLink, View } from './view.js'

export const Forgot = () => {
  const { config, tenant } = useSignIn()
  const reset = useReset()
  const code = useSentCode((body) => client.call('POST /auth/password/forgot', { body: { ...body, ...tenant } }))
  const { sent } = code
  return (
    <View
      title={words.forgotTitle}
      heading={words.forgotHeading}
      lead={
        sent
          ? words.codeSent(
              <b>
                <Name text={sent.recipient} />
              </b>,
            )
          : words.forgotLead
      }
      view={sent ? 'forgot-code' : 'forgot'}
    >
      {sent ? (
        <Form
          submit={words.saveAndContinue}
          busy={words.saving}
          at={{ invalid_code: 'code' }}
          onSubmit={({ code: digits = '', newPassword = '' }) =>
            reset({ recipient: sent.recipient, code: digits, codeKey: sent.codeKey, newPassword })
          }
          after={<AgainLine code={code} sent={sent} />}
        >
          <HiddenUserName name={sent.recipient} />
          <CodeField name="code" label={words.code} first />
          <NewPassword names={[sent.recipient]} />
        </Form>
      ) : (
        <AskForCode code={code} kind={kindOf(config.resetChannels)} />
      )}
      <BackLink />
    </View>
  )
}
