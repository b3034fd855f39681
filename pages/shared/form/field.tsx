import { useState } from 'preact/hooks'
import type { ComponentChildren, TargetedInputEvent } from 'preact'
import { frame } from '../language/frame-words.js'
import { Labelled, type LabelledProps } from './labelled.js'

export interface FieldProps extends LabelledProps {
  /** Between label and input. */
  above?: ComponentChildren
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
  initial?: string | null
  readOnly?: boolean
  onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void
}

// The types of JSX have a shape for each value of `type`, and `type` is a variable here.
const loose = (attributes: object): object => attributes

/** A field of one line. */
export const Field = ({
  above,
  first,
  initial,
  type = 'text',
  name,
  label,
  hint,
  aside,
  below,
  ...input
}: FieldProps) => (
  <Labelled {...{ name, label, hint, aside, below }}>
    {(description) => (
      <>
        {above}
        <input
          id={name}
          name={name}
          {...loose({ type, required: true, defaultValue: initial, ...input })}
          data-first={first}
          {...description}
        />
      </>
    )}
  </Labelled>
)

interface TextAreaProps extends Pick<FieldProps, 'name' | 'label' | 'hint' | 'below'> {
  initial?: string
  rows?: number
}

/** A text of several lines, which may be left out. */
export const TextAreaField = ({ name, label, hint, below, initial, rows = 2 }: TextAreaProps) => (
  <Labelled {...{ name, label, hint, below }}>
    {(description) => (
      <textarea id={name} name={name} rows={rows} autocomplete="off" defaultValue={initial} {...description} />
    )}
  </Labelled>
)

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
  const [isShown, setShown] = useState(false)
  return (
    <Labelled {...{ name, label, hint, aside, below }}>
      {(description) => (
        <div class="reveal">
          <input
            id={name}
            name={name}
            {...loose({ type: isShown ? 'text' : 'password', required: true, ...input })}
            data-first={first}
            autocapitalize="none"
            spellcheck={false}
            {...description}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label={frame.showPassword}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? frame.hide : frame.show}
          </button>
        </div>
      )}
    </Labelled>
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
