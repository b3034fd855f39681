import { frame } from '../../shared/language/frame-words.js'
import { useEffect, useState } from 'preact/hooks'
import { CodeField } from '../../shared/form/field.js'
import { withClock } from '../../shared/factors/clock.js'
import { Form } from '../../shared/form/use-form.js'
import { Icon } from '../../shared/frame/icon.js'
import { say } from '../../shared/frame/status-line.js'
import { clockTime, days } from '../../shared/language/language.js'
import { BoldName } from '../../shared/language/visible.js'
import { canUsePasskeys, provePasskey } from '../../shared/passkeys/passkeys.js'
import { client } from '../../shared/session/client.js'
import { isRefusal } from '../../shared/session/fault.js'
import { useSignIn, type Ticket } from '../flow.js'
import { words } from '../words.js'
import { View } from './view.js'

type Method = 'totp' | 'recovery' | 'passkey'

/** Goes back to the start when the time of a ticket is over, and says so a minute before. */
export const useTicketEnd = ({ end }: Pick<Ticket, 'end'>): void => {
  const { restart } = useSignIn()
  useEffect(() => {
    const left = end.getTime() - Date.now()
    const timers = [
      setTimeout(() => say(words.oneMinute), left - 60_000),
      setTimeout(() => restart({ message: words.tooLate, reason: undefined, fields: {} }), left),
    ]
    return () => timers.forEach(clearTimeout)
  }, [end])
}

/** Whose sign-in it is, and the way back. */
export const Who = ({ name }: { name: string | undefined }) => {
  const { restart } = useSignIn()
  const change = (
    <button class="link" type="button" onClick={() => restart()}>
      {name === undefined ? words.startAgain : words.notYou}
    </button>
  )
  return name === undefined ? change : <>{words.signingInAs(<BoldName text={name} />, change)}</>
}

const labels = {
  totp: { button: () => words.appCode, icon: 'phone' },
  recovery: { button: () => words.recoveryCode, icon: undefined },
  passkey: { button: () => frame.usePasskey, icon: 'key' },
} as const

const Trust = ({ time }: { time: string }) => (
  <label class="check">
    <input type="checkbox" name="trust" />
    <span>
      {words.trust(time)}
      <br />
      <span class="hint">{words.trustHint}</span>
    </span>
  </label>
)

const CodeOf = ({ method }: { method: Method }) => {
  if (method === 'totp') return <CodeField name="code" label={words.totp} hint={frame.totpHint} first />
  if (method === 'recovery')
    return (
      <CodeField
        name="code"
        label={words.recoveryCode}
        hint={words.recoveryHint}
        inputmode="text"
        autocapitalize="characters"
        autocomplete="off"
        first
      />
    )
  return null
}

/** The second step of a sign-in. */
export const Factor = () => {
  const flow = useSignIn()
  const ticket = flow.step as { kind: 'factor' } & Ticket
  useTicketEnd(ticket)
  const methods = (['totp', 'passkey', 'recovery'] as const).filter(
    (method) => ticket.methods.includes(method) && (method !== 'passkey' || canUsePasskeys()),
  )
  const [method, setMethod] = useState<Method>(methods[0] ?? 'recovery')
  const others = methods.filter((other) => other !== method)

  const send = async (values: Record<string, string>) => {
    const more = { ticket: ticket.ticket, trustDevice: values['trust'] !== undefined }
    try {
      if (method === 'passkey') {
        say(words.passkeyWait)
        const options = await client.call('POST /auth/passkey/options', { body: { ticket: ticket.ticket } })
        await flow.signIn({ authType: method, credential: await provePasskey(options), ...more })
      } else await withClock(() => flow.signIn({ authType: method, code: values['code'] ?? '', ...more }))
    } catch (error) {
      // Five wrong answers, or a change of the password, end the ticket.
      if (isRefusal(error, 'invalid_grant')) flow.restart({ message: words.begunAnew, reason: undefined, fields: {} })
      // An administrator has removed the factors meanwhile.
      else if (isRefusal(error, 'unsupported_auth_type'))
        flow.restart({ message: words.factorsChanged, reason: undefined, fields: {} })
      else throw error
    }
  }

  return (
    <View
      title={words.factorTitle}
      heading={words.factorHeading}
      lead={<Who name={ticket.name} />}
      view={`factor-${method}`}
    >
      <Form
        key={method}
        submit={method === 'passkey' ? frame.usePasskey : words.continue}
        at={{ invalid_code: 'code' }}
        onSubmit={send}
      >
        {ticket.name !== undefined && (
          <input type="hidden" name="username" autocomplete="username" value={ticket.name} />
        )}
        <CodeOf method={method} />
        {ticket.trustDays > 0 && <Trust time={days(ticket.trustDays)} />}
      </Form>
      {others.length > 0 && (
        <>
          <div class="or">{words.otherWays}</div>
          <div class="two">
            {others.map((other) => (
              <button key={other} onClick={() => setMethod(other)}>
                {labels[other].icon && <Icon name={labels[other].icon} />} {labels[other].button()}
              </button>
            ))}
          </div>
        </>
      )}
      <p class="muted small">{words.until(clockTime(ticket.end))}</p>
      <details class="small">
        <summary>{words.lost}</summary>
        <p class="muted">{words.lostAdvice}</p>
      </details>
    </View>
  )
}
