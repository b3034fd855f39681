import type { ComponentChildren } from 'preact'
import type { Operations } from '../../../client/index.js'
import { CodeField } from '../form/field.js'
import { Form, type Values } from '../form/use-form.js'
import { frame } from '../language/frame-words.js'
import { CopyButton } from '../frame/copy-button.js'
import { withClock } from './clock.js'

export type Enrolment = Operations['POST /auth/factors/totp']['data']

interface EnrolAppProps {
  enrolment: Enrolment
  submit: string
  confirm: (code: string, values: Values) => Promise<void>
  cancel?: string
  onCancel: () => void
  /** Further fields, below the code. */
  children?: ComponentChildren
}

/** The picture and the key for an authenticator app, and its first code. */
export const EnrolApp = ({ enrolment, submit, confirm, cancel, onCancel, children }: EnrolAppProps) => (
  <Form
    submit={submit}
    at={{ invalid_code: 'code' }}
    onSubmit={(values) => withClock(() => confirm(values['code'] ?? '', values))}
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
      <div class="line">
        <CopyButton text={enrolment.secret} />
        <a class="button on-phone" href={enrolment.uri}>
          {frame.openApp}
        </a>
      </div>
    </div>
    <CodeField name="code" label={frame.firstCode} hint={frame.totpHint} first />
    {children}
  </Form>
)
