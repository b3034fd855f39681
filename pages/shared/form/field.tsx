import type { ComponentChildren, TargetedInputEvent } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../frame/icon.js'
import { frame } from '../language/frame-words.js'
import { useFieldFault } from './use-form.js'

export interface FieldProps {
  name: string
  label: string
  hint?: string
  /** Opposite the label, such as a link. */
  aside?: ComponentChildren
  /** Between label and input. */
  above?: ComponentChildren
  /** Below the error. */
  below?: ComponentChildren
  /** Takes the focus when its view appears. */
  first?: boolean
  type?: 'text' | 'email' | 'tel'
  class?: string
  inputmode?: 'numeric' | 'text'
  autocomplete: string
  autocapitalize?: 'none' | 'characters'
  spellcheck?: false
  required?: boolean
  /** What is in it at first. */
  initial?: string
  readOnly?: boolean
  onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void
}

const useDescription = (name: string, hint: unknown, below: unknown) => {
  const { text, isMarked } = useFieldFault(name)
  const parts = [
    text !== undefined && `${name}-fault`,
    isMarked && 'fault',
    hint !== undefined && `${name}-hint`,
    below !== undefined && `${name}-below`,
  ].filter((id) => id !== false)
  return {
    text,
    attributes: {
      'aria-invalid': text !== undefined || isMarked ? true : undefined,
      'aria-describedby': parts.length > 0 ? parts.join(' ') : undefined,
    },
  }
}

const Below = ({
  name,
  text,
  hint,
  below,
}: { name: string; text: string | undefined } & Pick<FieldProps, 'hint' | 'below'>) => (
  <>
    {text !== undefined && (
      <p class="error" id={`${name}-fault`}>
        <Icon name="alert" /> <span>{text}</span>
      </p>
    )}
    {hint !== undefined && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {below !== undefined && <div id={`${name}-below`}>{below}</div>}
  </>
)

const Label = ({ name, label, aside }: Pick<FieldProps, 'name' | 'label' | 'aside'>) =>
  aside === undefined ? (
    <label for={name}>{label}</label>
  ) : (
    <div class="spread">
      <label for={name}>{label}</label>
      {aside}
    </div>
  )

// The types of JSX have a shape for each value of `type`, and `type` is a variable here.
const loose = (attributes: object): object => attributes

/** A label, an input, and what is wrong with it. */
export const Field = ({
  name,
  label,
  hint,
  aside,
  above,
  below,
  first,
  initial,
  type = 'text',
  ...input
}: FieldProps) => {
  const { text, attributes } = useDescription(name, hint, below)
  return (
    <div class="field">
      <Label {...{ name, label, aside }} />
      {above}
      <input
        id={name}
        name={name}
        {...loose({ type, required: true, defaultValue: initial, ...input })}
        data-first={first}
        {...attributes}
      />
      <Below {...{ name, text, hint, below }} />
    </div>
  )
}

/** A password, which can be shown. */
export const PasswordField = ({
  name,
  label,
  hint,
  aside,
  below,
  first,
  ...input
}: Omit<FieldProps, 'type' | 'above'>) => {
  const { text, attributes } = useDescription(name, hint, below)
  const [isShown, setShown] = useState(false)
  return (
    <div class="field">
      <Label {...{ name, label, aside }} />
      <div class="reveal">
        <input
          id={name}
          name={name}
          {...loose({ type: isShown ? 'text' : 'password', ...input })}
          required
          data-first={first}
          autocapitalize="none"
          spellcheck={false}
          {...attributes}
        />
        <button type="button" aria-pressed={isShown} aria-label={frame.showPassword} onClick={() => setShown(!isShown)}>
          {isShown ? frame.hide : frame.show}
        </button>
      </div>
      <Below {...{ name, text, hint, below }} />
    </div>
  )
}

/** A one-time code: one field, so that it can be pasted and filled in. */
export const CodeField = (props: Omit<FieldProps, 'autocomplete'> & Partial<Pick<FieldProps, 'autocomplete'>>) => (
  <Field class="code" inputmode="numeric" autocomplete="one-time-code" spellcheck={false} {...props} />
)

/** Tells a password manager whose password a form sets. */
export const HiddenUserName = ({ name }: { name: string }) => (
  <input
    class="sr"
    type="text"
    name="username"
    autocomplete="username"
    value={name}
    tabIndex={-1}
    aria-hidden="true"
    readOnly
  />
)
