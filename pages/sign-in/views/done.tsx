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
  // Our next page takes the token out of the storage of the tab, which is refused here.
  const hasNoStorage = obstacle !== undefined && target !== undefined && takesToken(target)
  // What follows would not know the person, and would ask for the sign-in again. An application gets its answer by a cookie.
  const isStuck = hasNoStorage || (obstacle !== undefined && arrival !== undefined)
  const leave = () => {
    leaveEnd('signedOut')
    restart()
  }
  return (
    <View
      title={words.doneTitle}
      heading={words.doneHeading}
      lead={(isStuck ? words.doneHere : words.doneLead)(<BoldName text={realName || username} />)}
    >
      {obstacle && (
        <Notice kind="warn">
          {sentences(isStuck && words.endsHere, tabOnly(obstacle), hasNoStorage && words.noStorage)}
        </Notice>
      )}
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
