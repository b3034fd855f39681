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

const containsName = (password: string, names: readonly string[]): boolean =>
  names.some((name) => name.length > 3 && password.toLowerCase().includes(name.toLowerCase()))

interface NewPasswordFieldProps {
  label: string
  /** Code points. */
  minLength: number
  /** Of the account; a password may not contain one. */
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
  names = [],
  first = false,
  name = 'newPassword',
  required = true,
  hint,
  onInput,
}: NewPasswordFieldProps) => {
  const [typed, setTyped] = useState('')
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
          <Rule state={state(!containsName(typed, names))} text={frame.ruleName} />
          <Rule state="open" text={frame.ruleCommon} />
        </ul>
      }
    />
  )
}
