import { useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { EnrolApp, type Enrolment } from '../../shared/factors/enrol-app.js'
import { Icon } from '../../shared/frame/icon.js'
import { Notice } from '../../shared/frame/notice.js'
import { clockTime } from '../../shared/language/language.js'
import { canUsePasskeys, createPasskey } from '../../shared/passkeys/passkeys.js'
import { client } from '../../shared/session/client.js'
import { isRefusal, toFault, type Fault } from '../../shared/session/fault.js'
import { useSignIn, type Flow, type Ticket } from '../flow.js'
import { words } from '../words.js'
import { useTicketEnd, Who } from './factor.js'
import { ProveContact } from './prove-contact.js'
import { View } from './view.js'

type Enrolled = Operations['POST /auth/factors/passkey']['data']

/** A session comes with the confirming answer, because the request had a ticket. */
const goOn = async (flow: Flow, { session, recoveryCodes }: Enrolled): Promise<void> => {
  if (session) await flow.enrolled(session, recoveryCodes)
  else flow.restart()
}

const AppForm = ({ enrolment, onBack }: { enrolment: Enrolment; onBack: () => void }) => {
  const flow = useSignIn()
  const { ticket } = flow.step as Ticket & Flow['step']
  return (
    <EnrolApp
      enrolment={enrolment}
      submit={words.confirm}
      cancel={words.otherFactor}
      onCancel={onBack}
      confirm={async (code) => {
        const body = { key: enrolment.key, code, ticket, cookie: true }
        await goOn(flow, await client.call('POST /auth/factors/totp/confirm', { body }))
      }}
    />
  )
}

interface KindProps {
  icon: 'key' | 'phone'
  text: string
  hint: string
  onClick: () => void
}

const Kind = ({ icon, text, hint, onClick }: KindProps) => (
  <li class="stack tight">
    <button onClick={onClick}>
      <Icon name={icon} /> {text}
    </button>
    <p class="hint">{hint}</p>
  </li>
)

/** The enrolment of a factor that the policy asks for, before there is a session. */
export const SetUp = () => {
  const flow = useSignIn()
  const { ticket, name, end, contact } = flow.step as Ticket & Flow['step']
  useTicketEnd({ end })
  const [fault, setFault] = useState<Fault>()
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [isSent, setIsSent] = useState(false)
  /** The app whose beginning has checked the code to the contact. */
  const [begun, setBegun] = useState<Enrolment>()
  const attempt = (work: () => Promise<void>) => {
    setFault(undefined)
    void work().catch((error: unknown) => {
      if (isRefusal(error, 'invalid_grant')) flow.restart(toFault(error))
      else setFault(toFault(error))
    })
  }
  const byPasskey = async () => {
    const options = await client.call('POST /auth/factors/passkey/options', { body: { ticket } })
    const body = { credential: await createPasskey(options), ticket, cookie: true }
    await goOn(flow, await client.call('POST /auth/factors/passkey', { body }))
  }
  const byApp = async () => setEnrolment(begun ?? (await client.call('POST /auth/factors/totp', { body: { ticket } })))
  const isContactAsked = contact !== undefined && begun === undefined
  return (
    <View
      title={words.setUpTitle}
      heading={words.setUpHeading}
      lead={enrolment ? <Who name={name} /> : words.setUpLead}
      view={enrolment ? 'set-up-app' : isContactAsked ? (isSent ? 'set-up-contact-code' : 'set-up-contact') : 'set-up'}
    >
      {fault && <Notice kind="bad">{fault.message}</Notice>}
      {enrolment ? (
        <AppForm enrolment={enrolment} onBack={() => setEnrolment(undefined)} />
      ) : isContactAsked ? (
        <ProveContact ticket={ticket} contact={contact} onSent={() => setIsSent(true)} onProved={setBegun} />
      ) : (
        <ul class="stack">
          {canUsePasskeys() && (
            <Kind
              icon="key"
              text={words.setUpPasskey}
              hint={words.setUpPasskeyHint}
              onClick={() => attempt(byPasskey)}
            />
          )}
          <Kind icon="phone" text={words.setUpApp} hint={words.setUpAppHint} onClick={() => attempt(byApp)} />
        </ul>
      )}
      <p class="muted small">{words.until(clockTime(end))}</p>
    </View>
  )
}
