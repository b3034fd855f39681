import { frame } from '../language/frame-words.js'

/** Beside the button of a form or a dialog: leaves it. */
export const Cancel = ({ onClick }: { onClick: () => void }) => (
  <button class="quiet" type="button" onClick={onClick}>
    {frame.cancel}
  </button>
)
