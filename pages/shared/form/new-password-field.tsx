import { useState } from 'preact/hooks'
import { Icon } from '../frame/icon.js'
import { frame } from '../language/frame-words.js'
import { PasswordField } from './field.js'

type State = 'met' | 'unmet' | 'open'
const icons = { met: 'tick', unmet: 'cross', open: 'ring' } as const

const Rule = ({ state, text }: { state: State; text: string }) => (
  <li>
    <span class={state}>
      <Icon name={icons[state]} />
    </span>
    <span>
      {text} {state !== 'open' && <span class="sr">{frame[state]}</span>}
    </span>
  </li>
)

/** Whether there is little else than names, as the service sees it. */
const isMadeOf = (names: readonly string[], password: string): boolean => {
  const text = password.toLowerCase()
  const used = names.map((name) => name.toLowerCase()).filter((name) => name.length > 2 && text.includes(name))
  const rest = used.reduce((left, name) => left.replaceAll(name, ''), text)
  return used.length > 0 && rest.replace(/[^\p{L}\p{N}]/gu, '').length < 6
}

interface Named {
  username: string
  phone?: string | null | undefined
  email?: string | null | undefined
}

/** The names of which the service accepts no password, but for its own. */
export const namesOf = ({ username, phone, email }: Named, tenantName: string): string[] =>
  [username, phone, email?.split('@')[0], tenantName].filter((name) => name != null)

interface NewPasswordFieldProps {
  label: string
  /** Code points. */
  minLength: number
  /** The name of the service. */
  service: string
  /** Those that are known here, of account and tenant; absent where none are. */
  names?: readonly string[]
  first?: boolean
  name?: string
  required?: boolean
  hint?: string
  onInput?: (password: string) => void
}

/** A new password with the rules that the page can check while somebody types. The server decides. */
export const NewPasswordField = ({
  label,
  minLength,
  service,
  names = [],
  first = false,
  name = 'newPassword',
  required = true,
  hint,
  onInput,
}: NewPasswordFieldProps) => {
  const [typed, setTyped] = useState('')
  const isOfNames = isMadeOf([...names, service], typed)
  const state = (isMet: boolean): State => (typed === '' ? 'open' : isMet ? 'met' : 'unmet')
  return (
    <PasswordField
      name={name}
      label={label}
      autocomplete="new-password"
      first={first}
      required={required}
      hint={hint}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onInput?.(currentTarget.value)
      }}
      below={
        <ul class="rules">
          <Rule state={state([...typed].length >= minLength)} text={frame.ruleLength(minLength)} />
          <Rule state={names.length === 0 && !isOfNames ? 'open' : state(!isOfNames)} text={frame.ruleName} />
          <Rule state="open" text={frame.ruleCommon} />
        </ul>
      }
    />
  )
}
