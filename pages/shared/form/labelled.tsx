import type { ComponentChildren } from 'preact'
import { Icon } from '../frame/icon.js'
import { useFieldFault } from './use-form.js'

/** What tells screen readers of the state of an input. */
interface Description {
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

export interface LabelledProps {
  name: string
  label: string
  hint?: string | undefined
  /** Opposite the label, such as a link. */
  aside?: ComponentChildren
  /** Below the error. */
  below?: ComponentChildren
}

/** A label, the input that `children` make, and what is wrong with it. */
export const Labelled = ({
  name,
  label,
  hint,
  aside,
  below,
  children,
}: LabelledProps & { children: (description: Description) => ComponentChildren }) => {
  const { text, isMarked } = useFieldFault(name)
  const ids = [
    text !== undefined && `${name}-fault`,
    isMarked && 'fault',
    hint !== undefined && `${name}-hint`,
    below !== undefined && `${name}-below`,
  ].filter((id) => id !== false)
  const caption = <label for={name}>{label}</label>
  return (
    <div class="field">
      {aside === undefined ? (
        caption
      ) : (
        <div class="spread">
          {caption}
          {aside}
        </div>
      )}
      {children({
        'aria-invalid': text !== undefined || isMarked ? true : undefined,
        'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
      })}
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
    </div>
  )
}
