import { forgetPasskey, type provePasskey } from '../shared/passkeys/passkeys.js'
import { isRefusal } from '../shared/session/fault.js'
import type { Flow } from './flow.js'

/** Signs in by a passkey alone, which is both factors. */
export const signInByPasskey = async (
  { config, signIn }: Pick<Flow, 'config' | 'signIn'>,
  credential: Awaited<ReturnType<typeof provePasskey>>,
): Promise<void> => {
  try {
    await signIn({ authType: 'passkey', credential })
  } catch (error) {
    if (isRefusal(error, 'unknown_credential') && config.passkeys)
      await forgetPasskey(config.passkeys.rpId, credential.id)
    throw error
  }
}
