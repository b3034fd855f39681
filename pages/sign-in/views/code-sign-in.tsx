import type { ComponentChildren } from 'preact'
import { client } from '../../shared/session/client.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'
import { CodeView } from './code-view.js'

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

export const CodeSignIn = ({ way, notice }: { way: CodeWay; notice: ComponentChildren }) => {
  const { signIn, tenant } = useSignIn()
  return (
    <CodeView
      title={words.codeTitle}
      heading={words.codeTitle}
      lead={way.lead()}
      leadWhenSent={words.codeSent}
      view={way.way}
      notice={notice}
      kind={way.kind}
      send={(body) => client.call(way.operation, { body: { ...body, ...tenant } })}
      submit={words.signIn}
      busy={words.signingIn}
      onSubmit={({ recipient, codeKey }, { code = '' }) => {
        const whom =
          way.kind === 'email'
            ? { authType: way.authType, email: recipient }
            : { authType: way.authType, phone: recipient }
        return signIn({ ...whom, code, ...(codeKey !== undefined && { codeKey }) }, { name: recipient })
      }}
    />
  )
}
