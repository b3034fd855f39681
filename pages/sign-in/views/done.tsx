import { BoldName } from '../../shared/language/visible.js'
import { frame } from '../../shared/language/frame-words.js'
import { Notice } from '../../shared/frame/notice.js'
import { signOut } from '../../shared/session/client.js'
import { tabOnly } from '../../shared/session/tab-only.js'
import { leaveEnd } from '../../shared/session/tab.js'
import { useSignIn, type Step } from '../flow.js'
import { words } from '../words.js'
import { View } from './view.js'

/** The end where no page follows, or one that would not know the person. */
export const Done = () => {
  const { step, restart } = useSignIn()
  const { signedIn, obstacle, target } = step as Extract<Step, { kind: 'done' }>
  const { realName, username } = signedIn.userInfo
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
      {obstacle && <Notice kind="warn">{tabOnly(obstacle)}</Notice>}
      {target !== undefined && (
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
