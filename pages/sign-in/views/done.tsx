import { BoldName } from '../../shared/language/visible.js'
import { frame } from '../../shared/language/frame-words.js'
import { say } from '../../shared/frame/status-line.js'
import { signOut } from '../../shared/session/client.js'
import { useSignIn, type SignedIn } from '../flow.js'
import { words } from '../words.js'
import { View } from './view.js'

/** The end where no page follows. */
export const Done = () => {
  const { step, restart } = useSignIn()
  const { realName, username } = (step as { signedIn: SignedIn }).signedIn.userInfo
  const leave = () => {
    restart()
    say(words.signedOut)
  }
  return (
    <View
      title={words.doneTitle}
      heading={words.doneHeading}
      lead={words.doneLead(<BoldName text={realName || username} />)}
    >
      <button onClick={() => void signOut().then(leave, leave)}>{frame.signOut}</button>
    </View>
  )
}
