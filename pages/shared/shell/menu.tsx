import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from '../frame/icon.js'

interface MenuProps {
  /** What the actions are of, for screen readers. */
  label: string
  children: ComponentChildren
}

const step = { ArrowDown: 1, ArrowUp: -1 } as const

/** The actions of a row, behind one button. One menu is open at a time. */
export const Menu = ({ label, children }: MenuProps) => {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current) menu.current.open = false
  }
  const move = (event: TargetedKeyboardEvent<HTMLDetailsElement>) => {
    const { key } = event
    if (key === 'Escape' && menu.current?.open) {
      event.stopPropagation()
      close()
      menu.current.querySelector('summary')?.focus()
    }
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return
    event.preventDefault()
    if (menu.current) menu.current.open = true
    const actions = [...(menu.current?.querySelectorAll<HTMLElement>('button, a') ?? [])]
    const at = actions.indexOf(document.activeElement as HTMLElement)
    // From the button itself: to the first, or up to the last.
    actions.at(at === -1 ? Math.min(step[key], 0) : (at + step[key]) % actions.length)?.focus()
  }
  return (
    <details class="menu" name="menu" ref={menu} onKeyDown={move}>
      <summary class="button quiet square" aria-label={label}>
        <Icon name="more" />
      </summary>
      <div onClick={close}>{children}</div>
    </details>
  )
}
