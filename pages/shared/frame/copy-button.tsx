import { useEffect, useState } from 'preact/hooks'
import { frame } from '../language/frame-words.js'
import { say } from './status-line.js'

/** How long the button says that it has copied. Milliseconds. */
const shownTime = 2000

/** Copies a text, and says so. Browsers let pages write to the clipboard at encrypted addresses only. */
export const CopyButton = ({ text }: { text: string }) => {
  const [copies, setCopies] = useState(0)
  useEffect(() => {
    if (copies === 0) return
    const timer = setTimeout(() => setCopies(0), shownTime)
    return () => clearTimeout(timer)
  }, [copies])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    say(frame.copied)
    setCopies((before) => before + 1)
  }
  if (!isSecureContext) return null
  return (
    <button type="button" onClick={() => void copy()}>
      {copies === 0 ? frame.copy : frame.copied}
    </button>
  )
}
