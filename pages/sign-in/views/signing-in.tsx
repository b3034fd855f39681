import { words } from '../words.js'
import { View } from './view.js'

/** While nothing is left to do for the person: a page follows. */
export const SigningIn = () => (
  <View title={words.returnTitle} heading={words.signingIn} view="signing-in">
    {null}
  </View>
)
