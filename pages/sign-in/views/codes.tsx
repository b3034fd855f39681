import { Form } from '../../shared/form/use-form.js'
import { nameOf } from '../../shared/frame/branding.js'
import { RecoveryCodes } from '../../shared/frame/recovery-codes.js'
import { Refusal } from '../../shared/session/fault.js'
import { useSignIn, type SignedIn } from '../flow.js'
import { words } from '../words.js'
import { View } from './view.js'

/** The recovery codes that come with the first factor. */
export const Codes = () => {
  const flow = useSignIn()
  const { recoveryCodes, signedIn } = flow.step as { recoveryCodes: string[]; signedIn: SignedIn }
  return (
    <View title={words.codesTitle} heading={words.codesHeading} lead={words.codesLead}>
      <RecoveryCodes codes={recoveryCodes} service={nameOf(flow.config)} username={signedIn.userInfo.username} />
      <Form
        submit={words.continue}
        onSubmit={async ({ kept }) => {
          if (kept === undefined) throw new Refusal(words.codesMustBeKept)
          await flow.finish(signedIn, flow.typed)
        }}
      >
        <label class="check">
          <input type="checkbox" name="kept" />
          <span>{words.codesKept}</span>
        </label>
      </Form>
    </View>
  )
}
