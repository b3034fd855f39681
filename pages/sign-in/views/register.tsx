import { CodeField, Field } from '../../shared/form/field.js'
import { Form, type Values } from '../../shared/form/use-form.js'
import { Notice } from '../../shared/frame/notice.js'
import { Name } from '../../shared/language/visible.js'
import { client } from '../../shared/session/client.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'
import { AgainLine, useSentCode, type Sent, type SentCode } from '../../shared/codes/sent-code.js'
import { AskForCode, kindOf } from './code-request.js'
import { NewPassword } from './new-password.js'
import { BackLink, View } from './view.js'

const AccountForm = ({ code, sent }: { code: SentCode; sent: Sent }) => {
  const { signIn, tenant } = useSignIn()
  const register = async ({ username = '', password = '', realName = '', code: digits = '' }: Values) => {
    const { recipient, codeKey } = sent
    const body = {
      username,
      password,
      recipient,
      code: digits,
      codeKey,
      ...(realName !== '' && { realName }),
      ...tenant,
    }
    const made = await client.call('POST /auth/register', { body })
    await signIn({ authType: 'password', username: made.username, password }, { name: made.username, password })
  }
  return (
    <Form
      submit={words.createAccount}
      busy={words.saving}
      at={{ invalid_code: 'code' }}
      onSubmit={register}
      after={<AgainLine code={code} sent={sent} />}
    >
      <CodeField name="code" label={words.code} first />
      <Field name="username" label={words.userName} autocomplete="username" autocapitalize="none" spellcheck={false} />
      <Field name="realName" label={words.realName} hint={words.optional} autocomplete="name" required={false} />
      <NewPassword name="password" names={[sent.recipient]} />
    </Form>
  )
}

export const Register = () => {
  const { config, tenant } = useSignIn()
  const code = useSentCode((body) => client.call('POST /auth/register/code', { body: { ...body, ...tenant } }))
  const { sent } = code
  if (config.registration !== 'open') {
    return (
      <View title={words.registerTitle} heading={words.registerHeading}>
        <Notice kind="warn">{words.closed}</Notice>
        <BackLink />
      </View>
    )
  }
  return (
    <View
      title={words.registerTitle}
      heading={words.registerHeading}
      lead={
        sent
          ? words.registrationSent(
              <b>
                <Name text={sent.recipient} />
              </b>,
            )
          : words.registerLead
      }
      view={sent ? 'register-code' : 'register'}
    >
      {sent ? <AccountForm code={code} sent={sent} /> : <AskForCode code={code} kind={kindOf(config.resetChannels)} />}
      <BackLink />
    </View>
  )
}
