import { useEffect, useState } from 'preact/hooks'

const listeners = new Set<(text: string) => void>()

/** Says that something has worked or is going on, to screen readers, too. */
export const say = (text: string): void => listeners.forEach((listener) => listener(text))

/** The line for `say`. It is there from the start, because screen readers do not read regions that appear with their text. */
export const StatusLine = () => {
  const [text, setText] = useState('')
  useEffect(() => {
    listeners.add(setText)
    return () => void listeners.delete(setText)
  }, [])
  return (
    <p class="sr" role="status">
      {text}
    </p>
  )
}
