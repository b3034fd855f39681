import { useEffect, useRef } from 'preact/hooks'
import { questions } from './words.js'

interface AskLeaveProps {
  text: string
  signal: AbortSignal
  onLeave: () => void
  onStay: () => void
}

/** Whether to leave a page on which something is not finished. Ends when the page is gone, as after the browser's Back. */
export const AskLeave = ({ text, signal, onLeave, onStay }: AskLeaveProps) => {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const end = () => {
      // At once: the next page cannot take the focus while a dialog is open.
      line.current?.closest('dialog')?.close()
      onStay()
      // Where the next page was there before, it could not take the focus, and what had it is gone.
      setTimeout(() => {
        if (document.activeElement === document.body) document.querySelector('main')?.focus()
      })
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    return () => signal.removeEventListener('abort', end)
  }, [])
  return (
    <>
      <p class="muted">{text}</p>
      <div class="line" ref={line}>
        <button class="danger" onClick={onLeave}>
          {questions.leave}
        </button>
        <button data-first="true" onClick={onStay}>
          {questions.stay}
        </button>
      </div>
    </>
  )
}
