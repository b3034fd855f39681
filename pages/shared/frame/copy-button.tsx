import { frame } from '../language/frame-words.js'
import { say } from './status-line.js'

/** Copies a text. Browsers let pages write to the clipboard at encrypted addresses only. */
export const CopyButton = ({ text }: { text: string }) => {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    say(frame.copied)
  }
  if (!isSecureContext) return null
  return (
    <button type="button" onClick={() => void copy()}>
      {frame.copy}
    </button>
  )
}
