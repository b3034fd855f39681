import { useEffect, useState } from 'preact/hooks'
import { base, hasPage } from '../../../pages/shared/base.js'
import { withClock } from '../../../pages/shared/factors/clock.js'
import { CodeField, HiddenUserName, PasswordField } from '../../../pages/shared/form/field.js'
import { Form, type Values } from '../../../pages/shared/form/use-form.js'
import { Notice } from '../../../pages/shared/frame/notice.js'
import { frame } from '../../../pages/shared/language/frame-words.js'
import type { Language } from '../../../pages/shared/language/language.js'
import { BoldName } from '../../../pages/shared/language/visible.js'
import { canUsePasskeys, provePasskey } from '../../../pages/shared/passkeys/passkeys.js'
import { client } from '../../../pages/shared/session/client.js'
import { toFault, type Fault } from '../../../pages/shared/session/fault.js'
import type { AskProps, Brought } from '../../../pages/sign-in/arrival.js'
import { View } from '../../../pages/sign-in/views/view.js'
import { words as signIn } from '../../../pages/sign-in/words.js'
import { setWords, words } from './words.js'

interface Details {
  prompt: 'login' | 'consent'
  client: { id: string; name: string }
  /** Whether it is not registered: its id is the address of its document. */
  isDocument: boolean
  scopes: string[]
  resources: { id: string; name: string; scopes: string[] }[]
  redirectHost: string
  loginHint: string | null
  reasons: string[]
}

let details: Details
let address: URL

const Other = ({ onOther }: Pick<AskProps, 'onOther'>) => (
  <p class="small">
    <button class="link" type="button" onClick={onOther}>
      {words.other}
    </button>
  </p>
)

/** Whether the application may know the person. */
const Consent = ({ signedIn, onDone, onOther }: AskProps) => {
  const [fault, setFault] = useState<Fault | undefined>(undefined)
  const answer = async (accept: boolean): Promise<void> => {
    try {
      const response = await fetch(`${address.href}/consent`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ accept }),
      })
      const { data, message } = (await response.json()) as { data: { redirectTo: string } | null; message: string }
      if (response.ok && data) onDone(data.redirectTo)
      else setFault({ message, reason: undefined, fields: {} })
    } catch (error) {
      setFault(toFault(error))
    }
  }
  const { name } = details.client
  // One that comes for services only gets to know nothing.
  const asks = details.scopes.length > 0 ? words.consent : words.acts
  return (
    <View title={words.consentTitle} heading={asks(<BoldName text={name} />)} view="consent">
      {fault && <Notice kind="bad">{fault.message}</Notice>}
      <p>{words.as(<BoldName text={signedIn.userInfo.username} />)}</p>
      {details.isDocument && <Notice kind="warn">{words.unchecked(new URL(details.client.id).host)}</Notice>}
      {details.scopes.length > 0 && (
        <>
          <p>{words.gets}</p>
          <ul>
            {details.scopes.map((scope) => (
              <li key={scope}>{words.scopes[scope] ?? scope}</li>
            ))}
          </ul>
        </>
      )}
      {details.resources.map((resource) => (
        <>
          <p>{words.does(<BoldName text={resource.name} />)}</p>
          <ul>
            {resource.scopes.map((scope) => (
              <li key={scope}>{scope}</li>
            ))}
          </ul>
        </>
      ))}
      <p class="muted small">{words.back(details.redirectHost)}</p>
      <div class="two">
        <button class="primary" onClick={() => void answer(true)}>
          {words.allow}
        </button>
        <button onClick={() => void answer(false)}>{words.refuse}</button>
      </div>
      <Other onOther={onOther} />
    </View>
  )
}

type Method = 'passkey' | 'totp' | 'recovery' | 'password'

/** How somebody can prove once more who they are, the easiest first; empty: only by a new sign-in. */
const findMethods = async (): Promise<Method[]> => {
  const [{ factors, recoveryCodesLeft }, { passwordTime }] = await Promise.all([
    client.call('GET /auth/factors'),
    client.call('GET /auth/userInfo'),
  ])
  if (factors.length === 0) return passwordTime === null ? [] : ['password']
  const has = (kind: string) => factors.some((factor) => factor.kind === kind)
  return [
    ...(has('passkey') && canUsePasskeys() ? (['passkey'] as const) : []),
    ...(has('totp') ? (['totp'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['recovery'] as const) : []),
  ]
}

const proofOf = async (method: Method, values: Values) => {
  if (method === 'password') return { authType: method, password: values['password'] ?? '' }
  if (method !== 'passkey') return { authType: method, code: values['code'] ?? '' }
  const options = await client.call('POST /auth/passkey/options', { body: {} })
  return { authType: method, credential: await provePasskey(options) }
}

interface ProofFormProps {
  methods: Method[]
  username: string
  onDone: () => void
}

const ProofForm = ({ methods, username, onDone }: ProofFormProps) => {
  const [method, setMethod] = useState<Method>(methods[0] ?? 'password')
  const labels: Record<Method, string> = {
    passkey: frame.usePasskey,
    totp: signIn.appCode,
    recovery: signIn.recoveryCode,
    password: frame.password,
  }
  return (
    <Form
      key={method}
      submit={method === 'passkey' ? frame.usePasskey : frame.continue}
      at={{ invalid_code: 'code', invalid_credentials: 'password' }}
      onSubmit={async (values) => {
        await withClock(async () => client.stepUp(await proofOf(method, values)))
        onDone()
      }}
      after={methods
        .filter((other) => other !== method)
        .map((other) => (
          <button class="link" type="button" key={other} onClick={() => setMethod(other)}>
            {labels[other]}
          </button>
        ))}
    >
      <HiddenUserName name={username} />
      {method === 'totp' && <CodeField name="code" label={signIn.totp} hint={frame.totpHint} first />}
      {method === 'recovery' && (
        <CodeField name="code" label={signIn.recoveryCode} inputmode="text" autocomplete="off" first />
      )}
      {method === 'password' && (
        <PasswordField name="password" label={frame.password} autocomplete="current-password" first />
      )}
    </Form>
  )
}

/** Asks for a proof in the session that is there, or for a factor that the account lacks. */
const StepUp = ({ signedIn, onDone, onOther }: AskProps) => {
  const [methods, setMethods] = useState<Method[] | undefined>(undefined)
  const { name } = details.client
  useEffect(() => {
    findMethods().then(
      (found) => (found.length > 0 ? setMethods(found) : onOther()),
      () => onOther(),
    )
  }, [])
  if (!methods) return null
  if (details.reasons.includes('acr') && methods.includes('password'))
    return (
      <View title={words.factorTitle} heading={words.factorTitle} lead={words.factor(name)} view="factor-needed">
        {hasPage('account') && (
          <p>
            <a href={new URL('account/security', base).href}>{words.setUp}</a>
          </p>
        )}
        <button class="primary" onClick={() => onDone(address.href)}>
          {words.goOn}
        </button>
        <Other onOther={onOther} />
      </View>
    )
  return (
    <View title={words.confirmTitle} heading={words.confirmTitle} lead={words.confirm(name)} view="step-up">
      <p>{words.as(<BoldName text={signedIn.userInfo.username} />)}</p>
      <ProofForm methods={methods} username={signedIn.userInfo.username} onDone={() => onDone(address.href)} />
      <Other onOther={onOther} />
    </View>
  )
}

const visited = 'rollcall-interaction'

/** Whether this tab was here for this request before: the service did not see who is signed in, and must not be asked in a circle. */
const wasHere = (uid: string): boolean => {
  try {
    const before = sessionStorage.getItem(visited)
    sessionStorage.setItem(visited, uid)
    return before === uid
  } catch {
    return false
  }
}

/** What the application that has sent somebody here is called, and what it asks for. Undefined where its request is over. */
export const load = async (language: Language): Promise<Brought> => {
  setWords(language)
  const query = new URLSearchParams(location.search)
  const uid = query.get('interaction') ?? ''
  address = new URL(`oidc/interactions/${encodeURIComponent(uid)}`, base)
  const response = await fetch(`${address.href}/details`)
  if (!response.ok) return undefined
  details = ((await response.json()) as { data: Details }).data
  const { prompt, loginHint, reasons } = details
  // Whoever is signed in is enough where nobody was when the request came.
  const isEnough = reasons.every((reason) => reason === 'no_session')
  const isBack = wasHere(uid) && isEnough
  const ask = prompt === 'consent' ? Consent : isEnough ? undefined : StepUp
  return {
    lead: words.lead(details.client.name),
    target: address.href,
    name: loginHint ?? undefined,
    asksAgain: isBack || query.has('other') || reasons.includes('id_token_hint'),
    ...(ask && { ask }),
  }
}
