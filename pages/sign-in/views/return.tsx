import { useEffect, useState } from 'preact/hooks'
import { Notice } from '../../shared/frame/notice.js'
import { Refusal, toFault, type Fault } from '../../shared/session/fault.js'
import { useSignIn } from '../flow.js'
import { takeReturn, type Returned } from '../../shared/providers/round-trip.js'
import { words } from '../words.js'
import { SigningIn } from './signing-in.js'
import { BackLink, View } from './view.js'

const bodyOf = ({ code, state, iss, verifier }: Returned) => {
  if (verifier === undefined) throw new Refusal(words.returnUnbegun)
  if (code === null || state === null) throw new Refusal(words.returnFailed)
  return { authType: 'oauth2', authCode: code, state, verifier, ...(iss !== null && { iss }) } as const
}

/** Where an identity provider sends the browser back to. */
export const Return = () => {
  const { signIn } = useSignIn()
  const [fault, setFault] = useState<Fault>()
  useEffect(() => {
    const finish = async () => {
      const returned = takeReturn()
      if (!returned) throw new Refusal(words.returnUnbegun)
      await signIn(bodyOf(returned))
    }
    finish().catch((error: unknown) => setFault(toFault(error)))
  }, [])
  if (!fault) return <SigningIn />
  return (
    <View title={words.notSignedIn} heading={words.notSignedIn} view="returned">
      <Notice kind="bad">{fault.message}</Notice>
      <BackLink />
    </View>
  )
}
