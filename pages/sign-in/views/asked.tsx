import { arrival } from '../arrival.js'
import { useSignIn, type Step } from '../flow.js'

/** What an application asks of somebody who is signed in. */
export const Asked = () => {
  const { step, goOn, restart } = useSignIn()
  const { signedIn } = step as Extract<Step, { kind: 'asked' }>
  const Ask = arrival?.ask
  return Ask ? <Ask signedIn={signedIn} onDone={goOn} onOther={() => restart()} /> : null
}
