import { Cancel } from '../../shared/frame/cancel.js'
import { CodeField, Field } from '../../shared/form/field.js'
import { phoneHint } from '../../shared/form/phone-hint.js'
import { Form } from '../../shared/form/use-form.js'
import { useCaptcha } from '../../shared/captcha/use-captcha.js'
import { checkKind } from '../../shared/codes/contact-kind.js'
import { AgainLine, useSentCode } from '../../shared/codes/sent-code.js'
import { frame } from '../../shared/language/frame-words.js'
import { BoldName } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'

export type ContactKind = 'phone' | 'email'

type Proof =
  | { phone: string; phoneCode: string; phoneCodeKey?: string }
  | { email: string; emailCode: string; emailCodeKey?: string }

interface NewContactProps {
  kind: ContactKind
  onProved: (proof: Proof) => Promise<void>
  onCancel: () => void
}

const inputs = {
  phone: { type: 'tel', autocomplete: 'tel' },
  email: { type: 'email', autocomplete: 'email' },
} as const

/** Asks for a new contact and for the code that was sent to it. */
export const NewContact = ({ kind, onProved, onCancel }: NewContactProps) => {
  const { config, me } = useAccount()
  const code = useSentCode(async (body) => {
    checkKind(kind, body.recipient)
    return request('POST /auth/profile/code', { body })
  })
  const captcha = useCaptcha({ tenantId: me.tenantId })
  const cancel = <Cancel onClick={onCancel} />
  const { sent } = code
  if (!sent)
    return (
      <Form
        key="ask"
        submit={words.sendCode}
        initial={code.refused?.fault}
        onSubmit={(values) =>
          captcha.answering(values, (answer) => code.ask({ recipient: values['recipient'] ?? '', ...answer }))
        }
        after={cancel}
      >
        <Field
          name="recipient"
          label={words[kind]}
          hint={kind === 'phone' ? phoneHint(config.phoneNumbers, words.phoneHint) : undefined}
          {...inputs[kind]}
          initial={code.refused?.initial}
          first
        />
        {captcha.field}
      </Form>
    )
  const { codeKey } = sent
  return (
    <Form
      key="prove"
      submit={words.save}
      at={{ invalid_code: 'code' }}
      onSubmit={({ code: typed = '' }) =>
        code.use(
          onProved(
            kind === 'phone'
              ? { phone: sent.recipient, phoneCode: typed, ...(codeKey !== undefined && { phoneCodeKey: codeKey }) }
              : { email: sent.recipient, emailCode: typed, ...(codeKey !== undefined && { emailCodeKey: codeKey }) },
          ),
          kind,
        )
      }
      after={cancel}
    >
      <p class="muted">
        {codeKey === undefined ? frame.sentBefore : words.codeSent(<BoldName text={sent.recipient} />)}
      </p>
      <CodeField name="code" label={words.code} first />
      <AgainLine code={code} sent={sent} />
    </Form>
  )
}
