import { Field } from '../../shared/form/field.js'
import { Form, type Values } from '../../shared/form/use-form.js'
import { useCaptcha } from '../../shared/captcha/use-captcha.js'
import type { SentCode } from '../../shared/codes/sent-code.js'
import { frame } from '../../shared/language/frame-words.js'
import { isRefusal, Refusal } from '../../shared/session/fault.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'

const recipientInputs = {
  email: { type: 'email', autocomplete: 'email', label: () => words.email },
  phone: { type: 'tel', autocomplete: 'tel', label: () => words.phone },
  either: { type: 'text', autocomplete: 'username', label: () => words.emailOrPhone },
} as const
export type RecipientKind = keyof typeof recipientInputs

/** To whom the mail went that has led here. */
export const recipientOfMail = (): string | null => new URLSearchParams(location.hash.slice(1)).get('recipient')

export const kindOf = (channels: readonly string[]): RecipientKind =>
  channels.length > 1 ? 'either' : channels[0] === 'phone' ? 'phone' : 'email'

interface RecipientFieldProps {
  kind: RecipientKind
  initial?: string | null
  first?: boolean | undefined
}

export const RecipientField = ({ kind, initial, first = !initial }: RecipientFieldProps) => {
  const { label, ...input } = recipientInputs[kind]
  return (
    <Field
      name="recipient"
      label={label()}
      {...input}
      autocapitalize="none"
      spellcheck={false}
      initial={initial}
      first={first}
    />
  )
}

/** Says at the field why no code goes to a recipient of the other kind: the service says that a method of signing in is missing. */
export const toRecipientFault =
  (kind: RecipientKind, recipient: string) =>
  (error: unknown): never => {
    if (kind === 'either' || !isRefusal(error, 'unsupported_auth_type')) throw error
    // What has letters is no phone number, but an address with a fault.
    const isFaulty = kind === 'email' && /\p{L}/u.test(recipient)
    throw new Refusal('', { recipient: isFaulty ? frame.mustBe.email : words.noCodeTo[kind] })
  }

/** Asks where a code is to be sent. */
export const AskForCode = ({ code, kind }: { code: SentCode; kind: RecipientKind }) => {
  const captcha = useCaptcha(useSignIn().tenant)
  const ask = (values: Values) =>
    captcha.answering(values, (answer) => code.ask({ recipient: values['recipient'] ?? '', ...answer }))
  return (
    <Form submit={words.sendCode} busy={words.sending} initial={code.refused?.fault} onSubmit={ask}>
      <RecipientField kind={kind} initial={code.refused?.initial ?? recipientOfMail()} first={code.refused && true} />
      {captcha.field}
    </Form>
  )
}
