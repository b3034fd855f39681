import { useEffect, useState } from 'preact/hooks'
import { Cancel } from '../frame/cancel.js'
import { CodeField, HiddenUserName, PasswordField } from '../form/field.js'
import { Form, type Values } from '../form/use-form.js'
import { frame } from '../language/frame-words.js'
import { canUsePasskeys, provePasskey } from '../passkeys/passkeys.js'
import { withClock } from '../factors/clock.js'
import { client, onSignedIn, signInWindow } from '../session/client.js'
import { Refusal } from '../session/fault.js'
import { signInAddress } from '../session/sign-in-address.js'
import { Dialog } from '../shell/dialog.js'
import { AskLeave } from './leave.js'
import { questions } from './words.js'

/** What has to be asked before a request, or the way to another page, can go on. */
export type Question =
  | { kind: 'password'; username: string }
  | { kind: 'factor'; methods: string[]; username: string }
  | { kind: 'session'; tenantId: number }
  /** Aborted when the page is gone. */
  | { kind: 'leave'; text: string; signal: AbortSignal }

interface Asked {
  question: Question
  resolve: () => void
  reject: (error: unknown) => void
}

let show: ((asked: Asked) => void) | undefined

/** Asks the person in a dialog. Throws a `Refusal` if the person does not want to answer. */
export const ask = (question: Question): Promise<void> =>
  new Promise((resolve, reject) => {
    if (show) show({ question, resolve, reject })
    else reject(new Error('There is no <Questions> on this page'))
  })

interface QuestionProps<Kind extends Question['kind']> {
  question: Extract<Question, { kind: Kind }>
  onDone: () => void
  onCancel: () => void
}

/** The password makes the session fresh for the request that waits. The dialog stays open until it is right. */
const AskPassword = ({ question, onDone, onCancel }: QuestionProps<'password'>) => (
  <Form
    submit={frame.continue}
    at={{ invalid_credentials: 'password' }}
    onSubmit={async ({ password = '' }) => {
      await client.stepUp({ authType: 'password', password })
      onDone()
    }}
    after={<Cancel onClick={onCancel} />}
  >
    <p class="muted">{questions.askPassword}</p>
    <HiddenUserName name={question.username} />
    <PasswordField name="password" label={frame.password} autocomplete="current-password" first />
  </Form>
)

type Method = 'passkey' | 'totp' | 'recovery' | 'password'
const order: Method[] = ['passkey', 'totp', 'recovery', 'password']

const proofOf = async (method: Method, values: Values) => {
  if (method === 'password') return { authType: method, password: values['password'] ?? '' }
  if (method !== 'passkey') return { authType: method, code: values['code'] ?? '' }
  return {
    authType: method,
    credential: await provePasskey(await client.call('POST /auth/passkey/options', { body: {} })),
  }
}

const AskFactor = ({ question, onDone, onCancel }: QuestionProps<'factor'>) => {
  const methods = order.filter((name) => question.methods.includes(name) && (name !== 'passkey' || canUsePasskeys()))
  const [method, setMethod] = useState<Method>(methods[0] ?? 'totp')
  return (
    <Form
      key={method}
      submit={method === 'passkey' ? frame.usePasskey : frame.continue}
      at={{ invalid_code: 'code', invalid_credentials: 'password' }}
      onSubmit={async (values) => {
        await withClock(async () => client.stepUp(await proofOf(method, values)))
        onDone()
      }}
      after={
        <>
          {methods
            .filter((other) => other !== method)
            .map((other) => (
              <button class="link" type="button" key={other} onClick={() => setMethod(other)}>
                {questions.factors[other]}
              </button>
            ))}
          <Cancel onClick={onCancel} />
        </>
      }
    >
      <p class="muted">{questions.askFactor}</p>
      <HiddenUserName name={question.username} />
      {method === 'totp' && <CodeField name="code" label={questions.factors.totp} first />}
      {method === 'recovery' && (
        <CodeField name="code" label={questions.factors.recovery} inputmode="text" autocomplete="off" first />
      )}
      {method === 'password' && (
        <PasswordField name="password" label={frame.password} autocomplete="current-password" first />
      )}
    </Form>
  )
}

/** The sign-in page in a window of its own: every way to sign in works there, and this page keeps what was typed. */
const AskSession = ({ question, onDone, onCancel }: QuestionProps<'session'>) => {
  useEffect(() => onSignedIn(onDone), [])
  return (
    <>
      <p class="muted">{questions.sessionEnded}</p>
      <div class="line">
        <a
          class="button primary"
          data-first="true"
          href={signInAddress(question.tenantId)}
          target={signInWindow}
          rel="opener"
        >
          {frame.signIn}
        </a>
        <Cancel onClick={onCancel} />
      </div>
    </>
  )
}

const titleOf = ({ kind }: Question): string =>
  kind === 'leave' ? questions.leaveTitle : kind === 'session' ? questions.signInAgain : questions.confirmItsYou

/** Where the questions of `ask` are shown, one after the other. */
export const Questions = () => {
  const [waiting, setWaiting] = useState<Asked[]>([])
  useEffect(() => {
    show = (asked) => setWaiting((others) => [...others, asked])
    return () => (show = undefined)
  }, [])
  const [asked] = waiting
  if (!asked) return null
  const { question, resolve, reject } = asked
  const next = () => setWaiting(([, ...others]) => others)
  const onDone = () => {
    next()
    resolve()
  }
  const onCancel = () => {
    next()
    reject(new Refusal(question.kind === 'session' ? questions.notSignedIn : frame.notChanged))
  }
  return (
    <Dialog title={titleOf(question)} onClose={onCancel} key={waiting.length}>
      {question.kind === 'password' && <AskPassword {...{ question, onDone, onCancel }} />}
      {question.kind === 'factor' && <AskFactor {...{ question, onDone, onCancel }} />}
      {question.kind === 'session' && <AskSession {...{ question, onDone, onCancel }} />}
      {question.kind === 'leave' && <AskLeave {...question} onLeave={onDone} onStay={onCancel} />}
    </Dialog>
  )
}
