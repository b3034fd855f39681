import { sentences } from '../../shared/language/language.js'
import { useLocation } from 'preact-iso/router'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../../shared/frame/notice.js'
import { frame } from '../../shared/language/frame-words.js'
import { Name } from '../../shared/language/visible.js'
import { toFault, type Fault } from '../../shared/session/fault.js'
import { lostInReload, takeEnd } from '../../shared/session/tab.js'
import { tabOnly } from '../../shared/session/tab-only.js'
import { addressOf } from '../address.js'
import { arrival } from '../arrival.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'
import { codeWays, CodeSignIn } from './code-sign-in.js'
import { PasswordForm } from './password-form.js'
import { Ways } from './ways.js'
import { View } from './view.js'

const Links = () => {
  const { config } = useSignIn()
  const link = (path: string, text: string) => <a href={addressOf(`sign-in/${path}`)}>{text}</a>
  return (
    <p class="muted small">
      {config.registration === 'open' && [words.noAccount(link('register', words.register)), ' ']}
      {config.resetChannels.length > 0 && words.invitation(link('invited', words.enterInvitation))}
    </p>
  )
}

/** The first page: name and password in one form, and the other ways below it. */
export const Start = () => {
  const { config, step } = useSignIn()
  const { query } = useLocation()
  const [fault, setFault] = useState<Fault | undefined>(step.kind === 'start' ? step.fault : undefined)
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (fault) alert.current?.querySelector<HTMLElement>('[role=alert]')?.focus()
  }, [fault])
  const [end] = useState(takeEnd)
  const lost = lostInReload()
  const way = codeWays.find(({ way, authType }) => way === query['way'] && config.authTypes.includes(authType))
  const notice = fault && (
    <div ref={alert}>
      <Notice kind="bad">{fault.message}</Notice>
    </div>
  )
  if (way) return <CodeSignIn way={way} notice={notice} key={way.way} />
  const hasPassword = config.authTypes.some((name) => name === 'password' || name === 'password_captcha')
  const heading = config.systemName === null ? words.signIn : words.signInTo(<Name text={config.systemName} />)
  return (
    <View title={fault ? words.notSignedIn : words.signIn} heading={heading} lead={arrival?.lead} view="start">
      {notice}
      {end && !fault && <Notice kind={end === 'ended' ? 'warn' : 'good'}>{words.ends[end]}</Notice>}
      {lost && !fault && <Notice kind="warn">{sentences(frame.onlyHere, tabOnly(lost))}</Notice>}
      {hasPassword && <PasswordForm onFault={() => setFault(undefined)} />}
      {config.authTypes.length === 0 && <Notice kind="warn">{words.noWays}</Notice>}
      <Ways hasPassword={hasPassword} onFault={(error) => setFault(error === undefined ? undefined : toFault(error))} />
      <Links />
    </View>
  )
}
