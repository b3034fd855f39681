import { client } from '../../shared/session/client.js'
import { AgainLine, useSentCode } from '../../shared/codes/sent-code.js'
import { useCaptcha } from '../../shared/captcha/use-captcha.js'
import type { Enrolment } from '../../shared/factors/enrol-app.js'
import { CodeField } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { BoldName } from '../../shared/language/visible.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'

interface ProveContactProps {
  ticket: string
  /** The masked contact. */
  contact: string
  onSent: () => void
  /** Called with an app that can be set up: beginning one is what checks the code. */
  onProved: (enrolment: Enrolment) => void
}

/** Asks for a code to the contact of the account, before a first factor is set up. */
export const ProveContact = ({ ticket, contact, onSent, onProved }: ProveContactProps) => {
  const captcha = useCaptcha(useSignIn().tenant)
  const code = useSentCode(
    ({ code: answer, codeKey }) =>
      client.call('POST /auth/factors/setup-code', {
        body: { ticket, ...(answer !== undefined && { code: answer }), ...(codeKey !== undefined && { codeKey }) },
      }),
    // A code is good for its ticket, which a reload loses.
    { isBoundToPage: true },
  )
  const { sent } = code
  if (!sent) {
    return (
      <Form
        submit={words.sendCode}
        busy={words.sending}
        onSubmit={(values) =>
          captcha.answering(values, async (answer) => {
            await code.ask({ recipient: contact, ...answer })
            onSent()
          })
        }
      >
        <p>{words.proveContact(<BoldName text={contact} />)}</p>
        {captcha.field}
      </Form>
    )
  }
  const prove = async (contactCode: string) => {
    const key = sent.codeKey === undefined ? {} : { contactCodeKey: sent.codeKey }
    const body = { ticket, contactCode, ...key }
    onProved(await client.call('POST /auth/factors/totp', { body }))
  }
  return (
    <Form
      submit={words.continue}
      at={{ invalid_code: 'contactCode' }}
      onSubmit={({ contactCode = '' }) => prove(contactCode)}
      after={<AgainLine code={code} sent={sent} hasOneRecipient />}
    >
      <p>{words.contactCodeSent(<BoldName text={contact} />)}</p>
      <CodeField name="contactCode" label={words.code} first />
    </Form>
  )
}
