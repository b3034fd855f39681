import type { ComponentChildren } from 'preact'
import { Icon } from './icon.js'

interface NoticeProps {
  kind: 'bad' | 'warn' | 'good'
  id?: string
  /** Read out in another way: by `say`, or because it takes the focus. */
  isQuiet?: boolean
  children: ComponentChildren
}

/** A message in the page. A bad one interrupts a screen reader, the others wait; it can take the focus. */
export const Notice = ({ kind, id, isQuiet = false, children }: NoticeProps) => (
  <p class={`notice ${kind}`} role={isQuiet ? undefined : kind === 'bad' ? 'alert' : 'status'} id={id} tabIndex={-1}>
    <Icon name={kind === 'good' ? 'tick' : 'alert'} />
    <span>{children}</span>
  </p>
)
