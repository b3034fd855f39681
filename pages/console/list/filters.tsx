import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../shared/frame/icon.js'
import { Menu } from '../../shared/shell/menu.js'
import { words } from '../words.js'
import type { ListAddress } from './address.js'
import { pause } from './use-paused.js'

interface SearchProps {
  of: ListAddress
  /** The filter that the text is. */
  name: string
  label: string
  placeholder: string
}

/** A field to search in: the list follows while somebody types. */
export const Search = ({ of: { query, change }, name, label, placeholder }: SearchProps) => {
  const known = query[name] ?? ''
  const [text, setText] = useState(known)
  const sent = useRef(known)
  useEffect(() => {
    // Somebody went back, or cleared the filters.
    if (known !== sent.current) setText(known)
    sent.current = known
  }, [known])
  // Counted from the key, not from the frame after it.
  useLayoutEffect(() => {
    if (text.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text.trim()
      change({ [name]: sent.current }, true)
    }, pause)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  )
}

interface SetFilterProps {
  label: string
  children: ComponentChildren
  onRemove: () => void
  isFocused?: boolean
}

/** A filter that is set, and the way to take it away. */
export const SetFilter = ({ label, children, onRemove, isFocused = false }: SetFilterProps) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isFocused) button.current?.focus()
  }, [])
  return (
    <span class="chip on">
      {children}
      <button type="button" ref={button} aria-label={words.list.removeFilter(label)} onClick={onRemove}>
        <Icon name="cross" />
      </button>
    </span>
  )
}

interface ChoiceProps {
  of: ListAddress
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
}

/** A filter with a few values. */
export const ChoiceFilter = ({ of: { query, change }, name, label, options }: ChoiceProps) => {
  const value = query[name]
  const chosen = options.find(([option]) => option === value)
  // The control that had the focus is no longer there.
  const [hasChanged, setChanged] = useState(false)
  const choose = (next: string | undefined) => {
    setChanged(true)
    change({ [name]: next })
  }
  if (chosen)
    return (
      <SetFilter label={label} onRemove={() => choose(undefined)} isFocused={hasChanged}>
        {words.list.filter(label, chosen[1])}
      </SetFilter>
    )
  return (
    <Menu label={label} text={label} isFocused={hasChanged}>
      {options.map(([option, text]) => (
        <button type="button" onClick={() => choose(option)} key={option}>
          {text}
        </button>
      ))}
    </Menu>
  )
}
