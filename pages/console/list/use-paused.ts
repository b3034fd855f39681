import { useLayoutEffect, useState } from 'preact/hooks'

/** Milliseconds between the last key and the request. */
export const pause = 250

/** What somebody types, once the keys rest. */
export const usePaused = (text: string): string => {
  const [rested, setRested] = useState(text.trim())
  // Counted from the key, not from the frame after it.
  useLayoutEffect(() => {
    const timer = setTimeout(() => setRested(text.trim()), pause)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
