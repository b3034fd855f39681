import { questions } from './words.js'

interface AskLeaveProps {
  text: string
  onLeave: () => void
  onStay: () => void
}

/** Whether to leave a page on which something is not finished. */
export const AskLeave = ({ text, onLeave, onStay }: AskLeaveProps) => (
  <>
    <p class="muted">{text}</p>
    <div class="line">
      <button class="danger" onClick={onLeave}>
        {questions.leave}
      </button>
      <button data-first="true" onClick={onStay}>
        {questions.stay}
      </button>
    </div>
  </>
)
