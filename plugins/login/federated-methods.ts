import type { LoginRequest } from '../../schemas/login.js'
import type { Federation } from '../federation/federation.js'
import type { LinkedIdentities } from '../federation/linked-identities.js'
import type { PlatformIdentity } from '../federation/tickets.js'
import { problem } from '../../lib/problem.js'
import type { LoginMethod, SignInContext } from './registry.js'

/** A WeChat mini-program cannot redirect a browser, so its code comes without a `state`. */
const isMiniProgramCode = ({ userClient, state, socialTicket }: LoginRequest) =>
  userClient === 'wechat' && state === undefined && socialTicket === undefined

const verifyIdentity = async (
  federation: Federation,
  request: LoginRequest,
  context: SignInContext,
): Promise<PlatformIdentity> => {
  const { socialTicket, authCode, state, verifier, iss } = request
  if (socialTicket !== undefined) return federation.takeTicket(socialTicket, context)
  if (authCode === undefined) throw problem('invalid_grant')
  if (state === undefined) return federation.exchangeMiniProgramCode(authCode, context)
  return federation.exchangeCode({ code: authCode, state, verifier, iss }, context, context.browser)
}

/** Sign-in with a linked identity; no methods when no provider is configured. */
export const createFederatedMethods = (
  federation: Federation & { linkedIdentities: LinkedIdentities },
): LoginMethod[] => {
  const shared: Pick<LoginMethod, 'captcha' | 'subject' | 'verify'> = {
    captcha: 'none',
    // A ticket or code contains no user name.
    subject: () => undefined,
    async verify(request, context) {
      return federation.linkedIdentities.resolve(await verifyIdentity(federation, request, context), context.tenantId)
    },
  }
  if (!federation.isConfigured) return []
  return [
    {
      name: 'oauth2',
      needs: (request) => {
        if (request.socialTicket !== undefined) return ['socialTicket']
        return isMiniProgramCode(request) ? ['authCode'] : ['authCode', 'state']
      },
      ...shared,
    },
    { name: 'social', needs: () => ['socialTicket'], ...shared },
  ]
}
