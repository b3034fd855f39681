import { BoldName } from '../../shared/language/visible.js'
import { frame } from '../../shared/language/frame-words.js'
import { Notice } from '../../shared/frame/notice.js'
import { signOut } from '../../shared/session/client.js'
import { tabOnly } from '../../shared/session/tab-only.js'
import { leaveEnd, takesToken } from '../../shared/session/tab.js'
import { sentences } from '../../shared/language/language.js'
import { arrival } from '../arrival.js'
import { useSignIn, type Step } from '../flow.js'
import { words } from '../words.js'
import { View } from './view.js'

/** The end where no page follows, or one that would not know the person. */
export const Done = () => {
  const { step, restart } = useSignIn()
  const { signedIn, obstacle, target } = step as Extract<Step, { kind: 'done' }>
  const { realName, username } = signedIn.userInfo
  // The storage of the tab is refused, from which our next page would take the token; an application gets its answer by a cookie. Both would
  // ask for the sign-in again.
  const isStuck = obstacle !== undefined && target !== undefined && (arrival !== undefined || takesToken(target))
  const leave = () => {
    leaveEnd('signedOut')
    restart()
  }
  return (
    <View
      title={words.doneTitle}
      heading={words.doneHeading}
      lead={words.doneLead(<BoldName text={realName || username} />)}
    >
      {obstacle && <Notice kind="warn">{sentences(isStuck && words.endsHere, tabOnly(obstacle))}</Notice>}
      {target !== undefined && !isStuck && (
        <p>
          <a href={target} target="_self">
            {frame.continue}
          </a>
        </p>
      )}
      <button onClick={() => void signOut().then(leave, leave)}>{frame.signOut}</button>
    </View>
  )
}
