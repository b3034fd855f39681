import { client } from '../../shared/session/client.js'
import { useSignIn } from '../flow.js'
import { kindOf, toRecipientFault } from './code-request.js'

/** Sets the password by a code and signs in with it: a reset alone starts no session, and the second factor is asked for. */
export const useReset = () => {
  const { config, signIn, tenant } = useSignIn()
  return async ({
    codeKey,
    ...rest
  }: {
    recipient: string
    code: string
    codeKey?: string | undefined
    newPassword: string
    endTokens?: boolean
  }): Promise<void> => {
    const body = { ...rest, ...(codeKey !== undefined && { codeKey }) }
    const { username } = await client
      .call('POST /auth/password/reset', { body: { ...body, ...tenant } })
      .catch(toRecipientFault(kindOf(config.resetChannels), body.recipient))
    const { newPassword: password } = body
    await signIn({ authType: 'password', username, password }, { name: username, password, hasNewPassword: true })
  }
}
