import type { Operations } from '../../../client/index.js'
import { CodeField } from '../form/field.js'
import { Form } from '../form/use-form.js'
import { frame } from '../language/frame-words.js'
import { duration } from '../language/language.js'
import { isRefusal, Refusal } from '../session/fault.js'

export type Enrolment = Operations['POST /auth/factors/totp']['data']

/** A wrong code that is right at another time: the clock of the phone is wrong. */
const inWords = (error: unknown): unknown => {
  const offset = isRefusal(error, 'invalid_code') ? Number(error.data['clockOffset'] ?? 0) : 0
  if (offset === 0) return error
  const time = duration(Math.abs(offset))
  return new Refusal('', { code: offset > 0 ? frame.clockAhead(time) : frame.clockBehind(time) })
}

interface EnrolAppProps {
  enrolment: Enrolment
  submit: string
  confirm: (code: string) => Promise<void>
  cancel?: string
  onCancel: () => void
}

/** The picture and the key for an authenticator app, and its first code. */
export const EnrolApp = ({ enrolment, submit, confirm, cancel, onCancel }: EnrolAppProps) => (
  <Form
    submit={submit}
    at={{ invalid_code: 'code' }}
    onSubmit={async ({ code = '' }) => {
      try {
        await confirm(code)
      } catch (error) {
        throw inWords(error)
      }
    }}
    after={
      <button class="link" type="button" onClick={onCancel}>
        {cancel ?? frame.cancel}
      </button>
    }
  >
    <p>{frame.scan}</p>
    <img class="qr" src={enrolment.qrCode} alt={frame.qrCode} />
    <div class="field">
      <span class="label">{frame.secret}</span>
      <code class="secret">{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</code>
    </div>
    <CodeField name="code" label={frame.firstCode} hint={frame.totpHint} first />
  </Form>
)
