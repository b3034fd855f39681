import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../frame/icon.js'
import { closeOnLeave } from './close-on-leave.js'

interface MenuProps {
  /** What the actions are of, for screen readers. */
  label: string
  /** What the button says; absent means three dots. */
  text?: string
  /** Takes the place of something that had the focus. */
  isFocused?: boolean
  children: ComponentChildren
}

const step = { ArrowDown: 1, ArrowUp: -1 } as const

/** Actions or values behind one button. One menu is open at a time. */
export const Menu = ({ label, text, isFocused = false, children }: MenuProps) => {
  const menu = useRef<HTMLDetailsElement>(null)
  const [side, setSide] = useState('')
  useEffect(() => {
    if (isFocused) menu.current?.querySelector('summary')?.focus()
  }, [])
  const close = () => {
    if (!menu.current) return
    // What is chosen is no longer there; a dialog gives the focus back to where it was.
    if (menu.current.contains(document.activeElement)) menu.current.querySelector('summary')?.focus()
    menu.current.open = false
  }
  /** Upwards where there is no room below, as at the end of a page; to the left where there is none on the right. */
  const place = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    const { bottom, height, right } = currentTarget.lastElementChild?.getBoundingClientRect() ?? new DOMRect()
    const isUp = bottom > innerHeight && currentTarget.getBoundingClientRect().bottom > height
    setSide(currentTarget.open ? `${isUp ? 'up' : ''} ${right > innerWidth ? 'left' : ''}` : '')
  }
  const move = (event: TargetedKeyboardEvent<HTMLDetailsElement>) => {
    const { key } = event
    if (key === 'Escape' && menu.current?.open) {
      event.stopPropagation()
      close()
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
    <details class={`menu ${side}`} name="menu" ref={menu} onKeyDown={move} onFocusOut={closeOnLeave} onToggle={place}>
      {text === undefined ? (
        <summary class="button quiet square" aria-label={label}>
          <Icon name="more" />
        </summary>
      ) : (
        <summary class="chip" aria-label={label}>
          {text} <Icon name="down" />
        </summary>
      )}
      {/* Where buttons do not take the focus from the mouse, it stays inside. */}
      <div tabIndex={-1} onClick={close}>
        {children}
      </div>
    </details>
  )
}
