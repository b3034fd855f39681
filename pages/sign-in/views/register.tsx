import { Field } from '../../shared/form/field.js'
import type { Values } from '../../shared/form/use-form.js'
import { Notice } from '../../shared/frame/notice.js'
import { checkKind } from '../../shared/codes/contact-kind.js'
import type { Sent } from '../../shared/codes/sent-code.js'
import { client } from '../../shared/session/client.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'
import { kindOf } from './code-request.js'
import { CodeView } from './code-view.js'
import { NewPassword } from './new-password.js'
import { BackLink, View } from './view.js'

const Fields = ({ recipient }: Sent) => (
  <>
    <Field name="username" label={words.userName} autocomplete="username" autocapitalize="none" spellcheck={false} />
    <Field name="realName" label={words.realName} hint={words.optional} autocomplete="name" required={false} />
    <NewPassword name="password" names={[recipient.split('@')[0] ?? '']} />
  </>
)

export const Register = () => {
  const { config, tenant, signIn } = useSignIn()
  if (config.registration !== 'open') {
    return (
      <View title={words.registerTitle} heading={words.registerHeading}>
        <Notice kind="warn">{words.closed}</Notice>
        <BackLink />
      </View>
    )
  }
  const kind = kindOf(config.contactChannels)
  const register = async (
    { recipient, codeKey }: Sent,
    { username = '', password = '', realName = '', code = '' }: Values,
  ) => {
    const optional = realName === '' ? {} : { realName }
    const key = codeKey === undefined ? {} : { codeKey }
    const body = { username, password, recipient, code, ...key, ...optional, ...tenant }
    const made = await client.call('POST /auth/register', { body })
    await signIn({ authType: 'password', username: made.username, password }, { name: made.username, password })
  }
  return (
    <CodeView
      title={words.registerTitle}
      heading={words.registerHeading}
      lead={words.registerLead}
      leadWhenSent={words.registrationSent}
      view="register"
      kind={kind}
      send={async (body) => {
        if (kind !== 'either') checkKind(kind, body.recipient)
        return client.call('POST /auth/register/code', { body: { ...body, ...tenant } })
      }}
      submit={words.createAccount}
      busy={words.saving}
      onSubmit={register}
      fields={Fields}
    />
  )
}
