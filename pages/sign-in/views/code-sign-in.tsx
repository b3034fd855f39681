import { CodeField } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { Name } from '../../shared/language/visible.js'
import { client } from '../../shared/session/client.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'
import { AgainLine, useSentCode } from '../../shared/codes/sent-code.js'
import { AskForCode } from './code-request.js'
import { BackLink, View } from './view.js'

/** The ways to sign in with a code, by the name in the address. */
export const codeWays = [
  {
    way: 'email',
    authType: 'email_captcha',
    kind: 'email',
    icon: 'mail',
    label: () => words.codeByMail,
    lead: () => words.codeLeadMail,
    operation: 'POST /auth/captcha/email',
  },
  {
    way: 'sms',
    authType: 'phone_captcha',
    kind: 'phone',
    icon: 'phone',
    label: () => words.codeBySms,
    lead: () => words.codeLeadSms,
    operation: 'POST /auth/captcha/sms',
  },
] as const
type CodeWay = (typeof codeWays)[number]

export const CodeSignIn = ({ way }: { way: CodeWay }) => {
  const { signIn, tenant } = useSignIn()
  const code = useSentCode((body) => client.call(way.operation, { body: { ...body, ...tenant } }))
  const { sent } = code
  if (!sent) {
    return (
      <View title={words.codeTitle} heading={words.codeTitle} lead={way.lead()} view={way.way}>
        <AskForCode code={code} kind={way.kind} />
        <BackLink />
      </View>
    )
  }
  return (
    <View
      title={words.codeTitle}
      heading={words.codeTitle}
      lead={words.codeSent(
        <b>
          <Name text={sent.recipient} />
        </b>,
      )}
      view={`${way.way}-code`}
    >
      <Form
        submit={words.signIn}
        busy={words.signingIn}
        at={{ invalid_code: 'code' }}
        onSubmit={({ code: digits = '' }) => {
          const { recipient, codeKey } = sent
          const whom =
            way.kind === 'email'
              ? { authType: way.authType, email: recipient }
              : { authType: way.authType, phone: recipient }
          return signIn({ ...whom, code: digits, codeKey }, { name: recipient })
        }}
        after={<AgainLine code={code} sent={sent} />}
      >
        <CodeField name="code" label={words.code} first />
      </Form>
      <BackLink />
    </View>
  )
}
