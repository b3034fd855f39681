import { Cancel } from '../../shared/frame/cancel.js'
import { Name } from '../../shared/language/visible.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { words } from '../words.js'

interface OwnLossProps {
  taken: readonly string[]
  answer: (goesOn: boolean) => void
}

/** Asks before somebody takes permissions from itself, which it may not be able to give back. */
export const OwnLoss = ({ taken, answer }: OwnLossProps) => (
  <Dialog title={words.roles.takesOwn} onClose={() => answer(false)}>
    <p>{words.roles.takesOwnHint}</p>
    <ul>
      {taken.map((text) => (
        <li key={text}>
          <Name text={text} />
        </li>
      ))}
    </ul>
    <div class="actions">
      <button class="danger" type="button" onClick={() => answer(true)}>
        {words.roles.takeOwn}
      </button>
      <Cancel onClick={() => answer(false)} />
    </div>
  </Dialog>
)
